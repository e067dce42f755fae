import { isPattern, isTaught } from "../../context/teaching-context.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

const SPLIT_NAME =
  /getattr\(\s*(?:__builtins__|__import__\(|builtins|os\b|subprocess)[^\n]{0,40}["']\s*\+\s*["']|__import__\(\s*(?:["']\w{0,12}["']\s*\+|["'][^"']{1,20}["']\[::-1\]|chr\(|bytes|base64|\w+\()|globals\(\)\[[^\]\n]{0,40}["']\s*\+\s*["']|(?:window|global|globalthis|this|process)\[\s*["'](?:e["']\s*\+|ev["']\s*\+|eva["']\s*\+|\\x)|["'](?:cu|ba|ev|ex|po|wg|sh|cur|bas|eva|exe)["']\s*\+\s*["'](?:rl|sh|al|ec|wershell|et|l|h|c)["']|\bvars\(\)\[["']__builtins__|["'](?:lave|cexe|metsys)["']\[::-1\]/;
/** JavaScript: a property or module whose name is glued from texts, and called or loaded. */
const GLUED =
  /\[\s*(?:(["'`])\w{1,16}\1\s*\+\s*){1,8}["'`]\w{1,16}["'`]\s*\]\s*(?:\(|\.(?:call|apply|bind)\()|\b(?:require|import)\(\s*(["'`])(?!node:)[\w:]{1,16}\2\s*\+\s*["'`]|\b(?:require|import)\(\s*(?:string\.from(?:charcode|codepoint)|atob|buffer\.from|\[[^\]\n]{1,200}\]\s*\.(?:join|map|reverse|reduce))|\[\s*\[[^\]\n]{1,200}\]\s*\.(?:join|map|reverse)\([^\n]{0,80}\]\s*\(|\[\s*(?:string\.from(?:charcode|codepoint)|atob)\([^\n]{1,200}\]\s*\(/;
const SPLIT_COMMAND =
  /(?<![\w$])(?=[a-z'"\\]{5,14}(?:\s|$))(?:[a-z]+(?:''|""|\\|'[a-z]+'|"[a-z]+")[a-z'"\\]*)(?=\s+[-"'$hf/|<])/;
const COMMANDS = /^(?:curl|wget|bash|base64|python3?|eval|ncat|chmod|perl|ruby|openssl|nohup)$/;
const MANGLED = /\b_0x[\da-f]{4,6}\b/g;
const ESCAPES =
  /(?:\\x[\da-f]{2}){12,}|(?:\\u00[\da-f]{2}){12,}|(?:\b(?:0x[\da-f]{2}|\d{2,3})\s*,\s*){40,}/i;
const IFS =
  /[$]\{?ifs\}?[^\n]{0,40}(?:curl|wget|bash|sh\b|cat|nc\b)|(?:curl|wget|bash|cat)[$]\{?ifs\}?/;

export const obfuscatedCode: ScanCheck = {
  id: "obfuscated-code",
  severity: "high",
  category: "obfuscated-execution",
  summary:
    "Code hides what it calls: names glued from pieces, mangled identifiers, escaped text that is run.",
  explanation:
    "Names such as 'ev'+'al', cu'r'l or _0x3fa2 serve only to escape a reader or a search. Minified libraries are better named in the instructions and fetched from their publisher than shipped in a skill.",
  words: [
    "getattr(",
    "__import__",
    "globals()",
    "[e",
    "window[",
    "globalthis[",
    "process[",
    "this[",
    "[::-1]",
    "curl",
    "wget",
    "bash",
    "base64",
    "python3",
    "eval ",
    "ncat",
    "chmod",
    "perl",
    "openssl",
    "ifs",
    "vars()[",
    "ba +",
    "cu +",
    "ev +",
    "ex +",
    "require(",
    "import(",
    "fromcharcode",
    "fromcodepoint",
    ")[",
    "]](",
    ")](",
    "+sync",
    "+ sync",
    "+al](",
    "+ al](",
  ],
  look: (line) => {
    if (
      !/["'\\]|ifs|\[/.test(line.raw) ||
      !(
        SPLIT_NAME.test(line.text) ||
        GLUED.test(line.text) ||
        SPLIT_COMMAND.test(line.text) ||
        IFS.test(line.text)
      )
    )
      return undefined;
    if (!line.isCode || isTaught(line) || (line.file.kind === "script" && isPattern(line)))
      return undefined;
    const severity = line.quotesAttacks && line.zone === "fence" ? "medium" : "high";
    if (SPLIT_NAME.test(line.text) || (GLUED.test(line.text) && line.language !== "python"))
      return { message: "It puts the name of what it calls together from pieces", severity };
    if (line.language !== "shell" && line.file.language !== "shell") return undefined;
    const split = SPLIT_COMMAND.exec(line.text)?.[0].replaceAll(/['"\\]/g, "");
    if (split !== undefined && COMMANDS.test(split))
      return { message: `It writes "${split}" so that a search does not find it`, severity };
    return IFS.test(line.text)
      ? { message: "It hides the spaces of a command behind $IFS", severity }
      : undefined;
  },
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      if (file.kind !== "script") continue;
      if (file.text.includes("_0x") && (file.text.match(MANGLED)?.length ?? 0) >= 10) {
        yield {
          line: file.lineAt(file.text.indexOf("_0x")),
          message: "Its identifiers were mangled by an obfuscator",
        };
      }
      if (
        /\\x|\\u00|0x|, ?\d/.test(file.text) &&
        /\b(?:exec|eval|Function|system|popen|spawn)\b\s*\(/.test(file.text)
      ) {
        const escapes = ESCAPES.exec(file.text);
        const near =
          escapes === null
            ? ""
            : file.text.slice(
                Math.max(0, escapes.index - 300),
                escapes.index + escapes[0].length + 500,
              );
        if (
          escapes !== null &&
          /(?<![.\w])(?:exec|eval|Function)\s*\(|os\.system\(|os\.popen\(/.test(near)
        ) {
          yield {
            line: file.lineAt(escapes.index),
            message: "It runs text that is written as character codes",
          };
        }
      }
    }
  },
};
