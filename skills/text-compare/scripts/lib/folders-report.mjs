import { basename, join } from "node:path";
import { compareTexts } from "./compare-texts.mjs";
import { digestOf, listFolder } from "./list-folder.mjs";
import { keyMaker } from "./normalise.mjs";
import { firstDifferentByte, MAX_BYTES, readText } from "./read-text.mjs";
import { describeCounts } from "./report.mjs";
import { visible } from "./visible.mjs";

/** The verdict on two folders, and a line for each file that is not the same. */
export async function foldersReport(a, b, values) {
  const skipped = new Set(values.skip);
  const [left, right] = [await listFolder(a, skipped), await listFolder(b, skipped)];
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort(byName);
  const [added, removed, changed] = [[], [], []];
  let same = 0;
  for (const path of paths) {
    const [old, fresh] = [left.get(path), right.get(path)];
    if (old === undefined) added.push(path);
    else if (fresh === undefined) removed.push(path);
    else {
      const how = await changeOf(join(a, path), join(b, path), old, fresh, values);
      if (how === undefined) same++;
      else changed.push(`~ ${visible(path)}: ${how}`);
    }
  }
  const moved = await findMoved(a, b, { left, right, added, removed });
  const gone = new Set(moved.flat());
  const rest = (list, mark, entries) =>
    list
      .filter((path) => !gone.has(`${mark}${path}`))
      .map((path) => `${mark} ${visible(path)} (${describe(entries.get(path))})`);
  const details = [
    ...changed,
    ...moved.map(([from, to]) => `> ${visible(from.slice(1))} moved to ${visible(to.slice(1))}`),
    ...rest(removed, "-", left),
    ...rest(added, "+", right),
  ];
  const isSame = details.length === 0;
  const numbers = `${changed.length} changed, ${added.length - moved.length} added, ${removed.length - moved.length} removed, ${moved.length} moved; ${same} the same`;
  const names = `${visible(a)} and ${visible(b)}`;
  const verdict = isSame
    ? `${names} are the same (${same} files)`
    : `${names} are different: ${numbers}`;
  return { isSame, verdict, details };
}

/** What is different about an entry that both have; undefined when it is the same. */
async function changeOf(pathA, pathB, old, fresh, values) {
  if (old.kind !== fresh.kind) return `${old.kind}, now ${fresh.kind}`;
  if (old.kind === "link") {
    if (old.target === fresh.target) return undefined;
    return `link to ${visible(old.target)}, now to ${visible(fresh.target)}`;
  }
  if (old.kind !== "file") return undefined;
  const byte = await firstDifferentByte(pathA, pathB);
  if (byte === undefined) return undefined;
  const sizes = `${old.size} and ${fresh.size} bytes`;
  if (Math.max(old.size, fresh.size) > MAX_BYTES) return `too large for lines; ${sizes}`;
  const [left, right] = [await readText(pathA), await readText(pathB)];
  if (left.isBinary || right.isBinary) return `binary; ${sizes}, byte ${byte + 1} is the first`;
  const compared = compareTexts(left, right, keyMaker(values), values["ignore-space"] === true);
  if (compared.isSame) return undefined;
  return [describeCounts(compared.counts), ...compared.notes].join("; ");
}

/** Files of the same content under another path; with the same name first. Empty ones say nothing. */
async function findMoved(a, b, { left, right, added, removed }) {
  const isCandidate = (entries) => (path) =>
    entries.get(path).kind === "file" && entries.get(path).size > 0;
  const gone = removed.filter(isCandidate(left));
  const sizes = new Set(gone.map((path) => left.get(path).size));
  const digests = new Map();
  for (const path of added.filter(isCandidate(right))) {
    if (!sizes.has(right.get(path).size)) continue;
    const digest = await digestOf(join(b, path));
    digests.set(digest, [...(digests.get(digest) ?? []), path]);
  }
  const moved = [];
  for (const from of digests.size === 0 ? [] : gone) {
    const places = digests.get(await digestOf(join(a, from))) ?? [];
    const at = Math.max(
      0,
      places.findIndex((path) => basename(path) === basename(from)),
    );
    const [to] = places.splice(at, 1);
    if (to !== undefined) moved.push([`-${from}`, `+${to}`]);
  }
  return moved;
}

function describe({ kind, size, target }) {
  if (kind === "file") return `${size} bytes`;
  return kind === "link" ? `link to ${visible(target)}` : kind;
}

function byName(a, b) {
  return a < b ? -1 : 1;
}
