/** What people say for the names of options. */
const SAME: ReadonlyMap<string, readonly string[]> = new Map([
  ["sum", ["total", "add up", "总和", "合计", "总计", "之和", "总额", "求和", "汇总"]],
  ["total", ["sum", "总和", "合计", "总计", "之和", "总额", "求和", "汇总"]],
  ["average", ["mean", "avg", "平均值", "均值", "平均"]],
  ["mean", ["average", "avg", "平均值", "均值", "平均"]],
  ["avg", ["average", "mean", "平均值", "均值", "平均"]],
  ["min", ["minimum", "smallest", "lowest", "least", "最小值", "最小", "最低"]],
  ["max", ["maximum", "largest", "highest", "biggest", "greatest", "最大值", "最大", "最高"]],
  ["group by", ["grouped by", "for each", "by", "per", "按照", "按", "根据", "每个"]],
  ["group", ["group by", "grouped by", "for each", "by", "per", "按照", "按", "根据", "每个"]],
  ["by", ["group by", "grouped by", "for each", "per", "按照", "按", "根据", "每个"]],
  ["sort", ["sort by", "sorted by", "order by", "ordered by", "ranked by"]],
  ["sort by", ["sorted by", "order by", "ordered by", "ranked by"]],
  ["column", ["field", "columns"]],
  ["on", ["join on", "by", "按照", "按", "根据"]],
  ["key", ["on", "by", "按照", "按", "根据"]],
  ["name", ["named", "called", "名为", "名叫", "叫做", "叫"]],
  ["title", ["titled", "标题为", "标题"]],
  ["lang", ["language"]],
]);
const CHINESE = [
  ...new Set([...SAME.values()].flat().filter((name) => /\p{Script=Han}/u.test(name))),
].toSorted((a, b) => b.length - a.length);
const ALL = new Set([...CHINESE, "统计", "计算", "分组", "average", "mean", "total", "sum"]);
const CUTS = new RegExp(`(${[...CHINESE, "统计", "计算", "分组"].join("|")})`, "gu");
const MAX_TEXT = 2000;

/** A name and what is said for it, each in words, the longest first: "sort by" before "sort". */
export function spokenNames(name: string): string[][] {
  const names = [name, ...(SAME.get(name) ?? [])].map((one) => one.split(" "));
  return names.toSorted((a, b) => b.length - a.length);
}

/** Whether a word says what is to be done and not on what. */
export function isSpokenName(word: string): boolean {
  return ALL.has(word.toLowerCase());
}

/** With blanks between Chinese and other letters, and around what says "in" behind a file's name. */
export function withBlanks(text: string): string {
  return text
    .replace(/(?<=\.\w{1,10}\s?)[中里](?=\p{L})/gu, " $& ")
    .replace(/(?<=[\w.])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[\w])/gu, " ");
}

/** The words of a request; Chinese is cut where known names, particles or other letters begin. */
export function spokenWords(text: string): string[] {
  const start = text.slice(0, MAX_TEXT);
  const cut = /\p{Script=Han}/u.test(start)
    ? withBlanks(start.replace(CUTS, " $1 ").replace(/的/gu, " 的 "))
    : start;
  return cut.split(/(?:[\s,，;；。？?!！"'`“”]|[:：](?=\s|$))+/u).filter((word) => word !== "");
}
