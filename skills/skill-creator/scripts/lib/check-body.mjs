import { posix } from "node:path";
import { problem } from "./description-problems.mjs";

const MAX_LINES = 500;
const MAX_TOKENS = 5000;
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const NAMED = /(?<![\w./-])((?:scripts|references|assets)\/[\w./-]*[\w-]\.\w+)/g;
const HAN = /\p{Script=Han}/gu;

/** Size and what the body points to. */
export function checkBody(body, files) {
  const text = body.trim();
  if (text === "") return [problem("error", "there are no instructions below the front matter")];
  const problems = [];
  const lines = text.split("\n").length;
  const tokens = tokensIn(text);
  if (lines > MAX_LINES)
    problems.push(
      problem("warning", `${lines} lines; beyond ${MAX_LINES}, move details to references/`),
    );
  if (tokens > MAX_TOKENS)
    problems.push(
      problem(
        "warning",
        `about ${tokens} tokens; beyond ${MAX_TOKENS}, move details to references/`,
      ),
    );
  if (!/^#{1,6}\s/m.test(text))
    problems.push(problem("warning", "there are no headings; see references/structure.md"));
  if (!/^\s*(?:\d+[.)]|[-*])\s/m.test(text))
    problems.push(problem("warning", "there is no list of steps"));
  return [...problems, ...references(text, files)];
}

function references(text, files) {
  const known = new Set(files);
  const named = new Set();
  const problems = [];
  for (const path of pathsIn(text)) {
    const normal = posix.normalize(path);
    if (normal.startsWith("..") || normal.startsWith("/"))
      problems.push(problem("error", `${path} is outside of the skill`));
    else if (
      !known.has(normal) &&
      !files.some((file) => file.startsWith(`${normal.replace(/\/$/, "")}/`))
    )
      problems.push(problem("error", `${path} is named, but there is no such file`));
    named.add(normal);
  }
  const unused = files.filter(
    (file) =>
      /^scripts\/[^/]+$/.test(file) && !named.has(file) && !text.includes(posix.basename(file)),
  );
  for (const file of unused)
    problems.push(problem("warning", `${file} is never named in SKILL.md, so nobody will run it`));
  return problems;
}

/** Addresses of links, and paths in text and commands. */
function pathsIn(text) {
  const linked = Array.from(text.matchAll(LINK), ([, address]) => address)
    .filter((address) => !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(address))
    .map((address) => decoded(address.replace(/[#?].*$/, "")))
    .filter((address) => address !== "");
  const named = Array.from(text.matchAll(NAMED), ([, path]) => path);
  return new Set([...linked, ...named].map((path) => path.replace(/^\.\//, "")));
}

function decoded(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function tokensIn(text) {
  const han = text.match(HAN)?.length ?? 0;
  return Math.ceil(han + (text.length - han) / 4);
}
