import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { linksIn, slugOf, withoutCode } from "./markdown-links.mjs";
import { cellCount, isDelimiterRow } from "./markdown-table.mjs";
import { Findings } from "./findings.mjs";
import { readYaml } from "./read-yaml.mjs";
import { visible } from "./visible.mjs";

const FENCE = /^((?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*?)(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;

/** Headings, code fences, tables, links to files and sections, and what the rules ask for. */
export function checkMarkdown(file, text, rules, findings) {
  const lines = text.split(/\r?\n/);
  const start = skipFrontmatter(lines, findings);
  const { prose, headings } = readBlocks(lines, start, rules, findings);
  checkHeadings(headings, rules, findings);
  checkTables(prose, findings);
  if (rules.links !== false) checkLinks(file, prose, headings, findings);
  const { maxLineLength = Infinity } = rules;
  for (const { text: line, number } of prose) {
    if (line.length > maxLineLength)
      findings.error(
        number,
        maxLineLength + 1,
        `the line has ${line.length} characters, at most ${maxLineLength} are allowed`,
      );
  }
  return `${headings.length} headings`;
}

function skipFrontmatter(lines, findings) {
  if (lines[0] !== "---") return 0;
  const end = lines.findIndex((line, i) => i > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) return 0;
  const found = new Findings();
  readYaml(lines.slice(1, end).join("\n"), found, 2);
  for (const { line, column, severity, message } of found.list)
    findings[severity](line, column, `frontmatter: ${message}`);
  return end + 1;
}

/** Lines outside of code, and the headings among them. */
function readBlocks(lines, start, rules, findings) {
  const prose = [];
  const headings = [];
  let open;
  for (let i = start; i < lines.length; i++) {
    const line = lines[i];
    const fence = FENCE.exec(line);
    if (open !== undefined) {
      const isClose =
        fence !== null &&
        fence[2][0] === open.mark[0] &&
        fence[2].length >= open.mark.length &&
        fence[3].trim() === "";
      if (isClose) open = undefined;
      prose.push({ text: "", number: i + 1 });
      continue;
    }
    if (fence !== null && !(fence[2][0] === "`" && fence[3].includes("`"))) {
      open = { mark: fence[2], line: i + 1, column: fence[1].length + 1 };
      if (rules.fenceLanguage === true && fence[3].trim() === "")
        findings.error(i + 1, open.column, "the code fence names no language");
      prose.push({ text: "", number: i + 1 });
      continue;
    }
    const heading = HEADING.exec(line);
    const under = /^ {0,3}(=+|-+)\s*$/.exec(lines[i + 1] ?? "");
    if (heading !== null)
      headings.push({ level: heading[1].length, text: (heading[2] ?? "").trim(), line: i + 1 });
    else if (under !== null && /^ {0,3}[^\s>|#*+-]/.test(line) && !/^\d+[.)]\s/.test(line)) {
      headings.push({ level: under[1][0] === "=" ? 1 : 2, text: line.trim(), line: i + 1 });
    } else if (/^#{1,6}[^#\s]/.test(line) && !/^#\d/.test(line)) {
      findings.warning(i + 1, 1, "no heading: a blank is missing after #");
    }
    prose.push({ text: line, number: i + 1 });
  }
  if (open !== undefined)
    findings.error(open.line, open.column, `this code fence (${open.mark}) is never closed`);
  return { prose, headings };
}

function checkHeadings(headings, rules, findings) {
  let before = 0;
  let titles = 0;
  for (const { level, text, line } of headings) {
    if (text === "") findings.error(line, 1, "a heading without text");
    if (before > 0 && level > before + 1)
      findings.error(line, 1, `a heading of level ${level} follows one of level ${before}`);
    if (level === 1 && ++titles === 2) findings.warning(line, 1, "a second heading of level 1");
    if (level > (rules.maxLevel ?? 6))
      findings.error(line, 1, `a heading of level ${level}, at most ${rules.maxLevel} is allowed`);
    before = level;
  }
  const [first] = headings;
  if (rules.firstLevel !== undefined && first?.level !== rules.firstLevel) {
    findings.error(first?.line ?? 1, 1, `the first heading must be of level ${rules.firstLevel}`);
  }
  let last = 0;
  for (const wanted of rules.sections ?? []) {
    const found = headings.find(({ text }) => plain(text) === plain(wanted));
    if (found === undefined) findings.error(1, 1, `the section "${visible(wanted)}" is missing`);
    else if (rules.ordered === true && found.line < last)
      findings.error(found.line, 1, `the section "${visible(wanted)}" stands too early`);
    else last = found.line;
  }
}

function plain(text) {
  return text.replaceAll(/[*_`]/g, "").trim().toLowerCase();
}

function checkTables(prose, findings) {
  for (let i = 1; i < prose.length; i++) {
    const [head, marks] = [prose[i - 1].text, prose[i]];
    if (!isDelimiterRow(marks.text) || !head.includes("|")) continue;
    const width = cellCount(head);
    const own = cellCount(marks.text);
    if (own !== width)
      findings.error(
        marks.number,
        1,
        `the line under the table's header has ${own} cells, the header ${width}`,
      );
    for (i++; i < prose.length && prose[i].text.trim() !== "" && prose[i].text.includes("|"); i++) {
      const count = cellCount(prose[i].text);
      if (count !== width)
        findings.error(
          prose[i].number,
          1,
          `the row has ${count} cells, the table's header ${width}`,
        );
    }
  }
}

function checkLinks(file, prose, headings, findings) {
  const { links, uses, names } = linksIn(
    prose.map(({ text, number }) => ({ text: withoutCode(text), number })),
  );
  const used = new Map();
  const slugs = new Set(headings.map(({ text }) => slugOf(text, used)));
  for (const { name, line, column } of uses) {
    if (!names.has(name))
      findings.error(line, column, `the link [${visible(name)}] is defined nowhere`);
  }
  for (const { target, line, column } of links) {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target) || target === "") continue;
    const [path, fragment] = target.split("#");
    if (path === "") {
      const wanted = decoded(fragment ?? "").toLowerCase();
      if (wanted !== "" && !slugs.has(wanted))
        findings.warning(line, column, `there is no heading for #${visible(fragment)}`);
    } else if (path.startsWith("/"))
      findings.warning(
        line,
        column,
        `not checked: where ${visible(path)} begins depends on the site`,
      );
    else if (!existsSync(resolve(dirname(file), decoded(path.split("?")[0])))) {
      findings.error(line, column, `there is no file ${visible(path)}`);
    }
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
