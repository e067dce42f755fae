/** A letter of a script that is written without blanks, or beside names without one. */
const OTHER = String.raw`(?:(?!\p{Script=Latin})\p{L})`;
const AFTER_NAME = new RegExp(String.raw`(?<=\.[a-z][a-z0-9]{0,9})(?=${OTHER})`, "giu");
/** Letters of such a script before a name in Latin ones; not inside of a path. */
const BEFORE_NAME = new RegExp(
  String.raw`(?<!${OTHER}|[\p{N}_./~@+-])(${OTHER}{1,40})(?=([\p{Script=Latin}\d][\w.@+/-]{0,100})(${OTHER}?))`,
  "giu",
);
/** What names rarely begin with: what is to be done, and what stands before what it is done to. */
const WORDS =
  /(?:打开|读取|查看|看看|看一下|帮我|统计|分析|汇总|计算|处理|合并|比较|对比|筛选|转换|概括|总结|[把将对从用在和与跟及到为成])$/u;
/** Of these no name begins, also not one in Chinese. */
const COMMANDS =
  /(?<![\p{L}\p{N}_./~@+-])(?:请)?(打开|读取|查看|看看|看一下|帮我|请把|请将|把|校验|检查|验证|筛选)(?=\p{Script=Han}{1,40}(?:\.[a-z]|\/))/giu;

/** A name may begin with these, but not the first of two: 对比旧版.txt和新版.txt. */
const OF_TWO =
  /(?<![\p{L}\p{N}_./~@+-])(?:请)?(对比|比较|合并)(?=\p{Script=Han}{1,40}\.[a-z][a-z0-9]{0,9}\s?[和与跟及])/giu;

/** 按地区汇总销售.csv */
const GROUPED =
  /(?<![\p{L}\p{N}_./~@+-])(?:请)?按(?:照)?\p{Script=Han}{1,8}?(?:汇总|统计|分组|排序)(?=\p{Script=Han}{1,40}\.[a-z])/giu;

/** What stands between two names. */
const SECOND =
  /(?<=\.[a-z][a-z0-9]{0,9}\s?)[和与跟及](?=\p{Script=Han}{1,40}\.[a-z][a-z0-9]{0,9})/giu;

/**
 * A text with blanks between names of files and the words that are written right beside them, as is
 * usual in Chinese: 统计sales.csv中的行数. 销售2024.csv and docs/说明v2.md are names as they are.
 */
export function unglue(text: string): string {
  return text
    .replace(AFTER_NAME, " ")
    .replace(BEFORE_NAME, (before: string, _: string, name: string, next: string) => {
      if (!/\.[a-z]/i.test(name) && next === "") return before;
      const isPartOfName = /^v?\d/i.test(name) && !WORDS.test(before);
      return isPartOfName ? before : `${before} `;
    })
    .replace(COMMANDS, "$& ")
    .replace(OF_TWO, "$& ")
    .replace(GROUPED, "$& ")
    .replace(SECOND, "$& ");
}
