// Data of the page: see embedding.py, which packs them.

const ARRAYS = { f8: Float64Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };

async function unpacked(id) {
  const holder = document.getElementById(id);
  if (!holder) return null;
  const text = atob(holder.textContent);
  const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = new Uint8Array(await new Response(inflated).arrayBuffer());
  let at = 4 + new DataView(raw.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(raw.subarray(4, at)));
  const columns = {};
  for (const [name, type, count] of header.columns) {
    const size = ARRAYS[type].BYTES_PER_ELEMENT;
    const joined = new Uint8Array(size * count);
    for (let plane = 0; plane < size; plane++) {
      const from = at + plane * count;
      for (let place = 0; place < count; place++) joined[place * size + plane] = raw[from + place];
    }
    columns[name] = new ARRAYS[type](joined.buffer);
    at += size * count;
  }
  holder.remove();
  return { meta: header.meta, columns };
}
