#!/bin/sh
# Every run that was sent can be evaluated: exits with 1 if one cannot.
set -eu
for run in *.run; do
  cranfield check "$run" --format tsv > /dev/null 2>&1 || { echo "$run cannot be evaluated"; exit 1; }
done
echo "all runs can be evaluated"
