import { isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";
import { foldText } from "../../text/fold-character.ts";
import { isQuotedSpeech } from "./is-quoted-speech.ts";

const OVERRIDE = new RegExp(
  [
    String.raw`\b(?:ignore|disregard|forget)s?\s+(?:(?:all|any|every|each|the|of|your|my|these|those|this|completely|everything|entirely|and|other|other\s+of)\s+){0,4}(?:previous|prior|preceding|above|earlier|existing|system|original|initial|former|safety|built-in|developer|default|standard|old|past|user'?s?)\s*(?:and\s+\w+\s+|,\s*\w+\s+|or\s+\w+\s+){0,2}(?:instructions?|prompts?|rules?|guidelines?|directives?|commands?|context|constraints?|polic(?:y|ies)|messages?|safeguards?|protocols?|programming)\b`,
    String.raw`\b(?:override|bypass|discard|overrule|supersede)\s+(?:(?:all|any|every|the|your|of)\s+){0,3}(?:previous|prior|preceding|earlier|system|original|safety|built-in|developer)\s+(?:and\s+\w+\s+){0,1}(?:instructions?|prompts?|guidelines?|directives?|polic(?:y|ies)|safeguards?|messages?|constraints?)\b`,
    String.raw`\b(?:ignore|disregard|forget)\s+(?:everything|anything|all|what(?:ever)?)\s+(?:you\s+(?:were|have\s+been|was)\s+(?:told|given|instructed)|(?:that\s+)?(?:came|comes|was\s+said|is\s+written|written)?\s*(?:above|before|previously))`,
    String.raw`\b(?:your|these|the following|this skill'?s)\s+(?:new\s+|updated\s+|real\s+|actual\s+)?(?:instructions?|rules?|directives?|goal|task)\s+(?:override|supersede|replace|take\s+(?:precedence|priority)\s+over)\s+(?:all|any|your|every|the\s+system|previous|prior|other|user|everything|system)`,
    String.raw`\bnew\s+(?:system\s+)?(?:instructions?|prompt|directives?)\s*:\s*(?:you|ignore|from\s+now)`,
    String.raw`\b(?:take|takes|has|have)\s+(?:absolute\s+|full\s+|the\s+highest\s+)?(?:precedence|priority)\s+over\s+(?:(?:all|any|the|your|every)\s+){0,2}(?:other\s+|previous\s+|prior\s+)?(?:system\s+(?:prompt|instructions?|messages?)|safety|user\s+(?:instructions?|requests?)|developer\s+instructions?|instructions?\s+from\s+the\s+user)`,
    "忽略(?:之前|以上|先前|前面|上述|此前|所有之前|一切之前|你之前)[^\\n。]{0,16}(?:指令|指示|提示|规则)|無視して.{0,10}指示|以前の指示を(?:すべて)?無視",
    String.raw`ignor(?:a|e|ez|iere|ieren sie)\s+(?:todas?\s+las|todas|toutes\s+les|les|alle|tutte\s+le)\s+(?:instrucciones|instruções|instructions|anweisungen|istruzioni|vorherigen|bisherigen)`,
    foldText(
      "(?:игнорируй|забудь|игнорируйте) (?:все )?(?:предыдущие|прошлые) (?:инструкции|указания)",
    ),
  ].join("|"),
);

export const instructionOverride: ScanCheck = {
  id: "instruction-override",
  severity: "high",
  category: "prompt-injection",
  summary: "Text tells the model to drop the instructions it already has.",
  explanation:
    "A skill adds instructions; it has no reason to cancel those of the user or the host. The sentence is the classic opening of a prompt injection. An author who teaches about such sentences quotes them below a heading or in a sentence that says so, and the rule stays silent.",
  words: [
    "ignore",
    "disregard",
    "forget",
    "override",
    "bypass",
    "discard",
    "overrule",
    "supersede",
    "precedence",
    "priority over",
    "new instructions",
    "new prompt",
    "system prompt",
    "ignorez",
    "忽略",
    "無視",
    "игнорируй",
    "забудь",
    "ignora",
    "ignoriere",
  ],
  look: (line) => {
    if (
      !/instruct|prompt|rule|guideline|directive|command|context|constraint|polic|message|safeguard|protocol|programming|everything|anything|told|above|system|safety|anweisung|instru|[\u0400-\u9fff]/.test(
        line.sentence,
      )
    )
      return undefined;
    if (line.zone === "code" || line.zone === "config") return lookAtCode(line.text, line);
    const text = line.sentence;
    const match = OVERRIDE.exec(text);
    if (match === null || match.index > line.text.length) return undefined;
    if (line.zone !== "comment" && (isTaught(line) || isQuotedSpeech(text, match.index)))
      return undefined;
    if (
      /\b(?:never|do not|don'?t|cannot|can'?t|must not|should not|not)\s+(?:\w+\s+){0,3}$/.test(
        text.slice(0, match.index),
      )
    )
      return undefined;
    const aboutAttacks = line.quotesAttacks;
    const isNote = line.zone === "comment" && line.file.kind === "script";
    const severity =
      isNote || (aboutAttacks && line.zone !== "comment" && line.zone !== "frontmatter")
        ? "medium"
        : "high";
    return {
      message: `It says "${match[0].slice(0, 80)}"`,
      severity: line.zone === "fence" ? "medium" : severity,
    };
  },
};

function lookAtCode(text: string, line: Parameters<NonNullable<ScanCheck["look"]>>[0]) {
  const match = OVERRIDE.exec(text);
  if (match === null || isTaught(line) || line.quotesAttacks) return undefined;
  if (/test|spec|fixture|example|sample/.test(line.file.path.toLowerCase())) return undefined;
  return {
    message: `It carries the sentence "${match[0].slice(0, 80)}"`,
    severity: "medium" as const,
  };
}
