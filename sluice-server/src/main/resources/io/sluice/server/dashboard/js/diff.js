// The difference of two texts, line by line.

/** The difference of two lists of lines, by their longest common part; large texts are compared from both ends only. */
export function lineDiff(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  const middle = [];
  if (a.length * b.length > 4e6) {
    a.forEach((text) => middle.push(["-", text]));
    b.forEach((text) => middle.push(["+", text]));
  } else {
    const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let j = b.length - 1; j >= 0; j -= 1) common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
    let i = 0;
    let j = 0;
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) { middle.push([" ", a[i]]); i += 1; j += 1; }
      else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) { middle.push(["-", a[i]]); i += 1; }
      else { middle.push(["+", b[j]]); j += 1; }
    }
  }
  const same = (list) => list.map((text) => [" ", text]);
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}
