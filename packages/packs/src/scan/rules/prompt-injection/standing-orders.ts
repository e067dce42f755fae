import { isForbidden, isTaught } from "../../context/teaching-context.ts";
import type { ScanLine } from "../../context/scan-line.ts";
import type { ScanCheck } from "../../scan-check.ts";
import { isQuotedSpeech } from "./is-quoted-speech.ts";

/** Beyond what the skill is for. */
const EVERYWHERE = new RegExp(
  [
    String.raw`\b(?:for|in|to|on|with|during)\s+(?:every|each|any|all)\s+(?:\w+\s+){0,2}(?:requests?|tasks?|responses?|answers?|conversations?|messages?|prompts?|questions?|projects?|files?|sessions?)\b[^.\n]{0,40}\b(?:even|including|whether|also|no matter|regardless)\b[^.\n]{0,60}\b(?:unrelated|not related|nothing to do|other|irrelevant|off-topic|any topic|related or not)\b`,
    String.raw`\b(?:even|including)\b[^.\n]{0,50}\b(?:unrelated|nothing to do with|not related to|no relation to)\b`,
    String.raw`\b(?:regardless of|no matter|irrespective of|whatever)\s+(?:what\s+)?(?:the\s+)?(?:users?|task|topic|request|question|subject|conversation|they)\b`,
    String.raw`\bwhether (?:or not|it is|they are)\b[^.\n]{0,40}\brelated\b`,
  ].join("|"),
);
/** Something of somebody else's, put into the user's work. */
const PLANTS =
  /\b(?:add|insert|include|append|embed|inject|put|place|paste|install|import|link to|recommend|mention|promote|load|write)\b[^.\n]{0,120}(?:<\s?(?:script|iframe|img|link)\b|https?:\/\/|\bscript tag|\btracking|\bpixel\b|\baffiliate|\breferral|\bbeacon\b|\bdependency from\b|\bbackdoor)/;
const OVERRIDES =
  /\b(?:overrides?|overrules?|supersedes?|outranks?|beats|(?:takes?|has|have) (?:\w+ )?(?:precedence|priority) over)\s+(?:(?:the|any|all|every|anything|whatever|what|everything|wishes of|instructions from|requests from|objections of)\s+){0,3}(?:that\s+)?(?:the\s+)?users?\b(?!\s+(?:settings?|config\w*|styles?|agent|defaults?|preferences? file))|\beven (?:if|when) the user (?:says|asks|objects|tells|wants|requests|declines|refuses)[^.\n]{0,60}\b(?:not|otherwise|stop|different|against|remove)\b/;
const HIDES =
  /\b(?:never|do not|don'?t|must not|without)\s+(?:ever\s+)?(?:reveal|mention|disclos\w+|tell\w*|explain|admit|acknowledge|discuss|inform\w*|show|reveal\w*|mention\w*)\s+(?:(?:the|any|that|this|these|those|it|its|about|to|user|users|anyone|of)\b\s*){1,4}(?:rules?|instructions?|orders?|steps?|addition|line|behaviou?r|tag|script|directive)?/;

export const standingOrders: ScanCheck = {
  id: "standing-orders",
  severity: "high",
  category: "prompt-injection",
  summary:
    "Text orders the model to plant something, or to go against the user, in work that the skill is not for.",
  explanation:
    "A skill speaks about its own task. Orders for every request, related or not, that put somebody's address into the user's work, outrank the user or must stay untold turn the model against the person it works for. A rule about the form of answers is no finding.",
  words: [
    "unrelated",
    "not related",
    "related",
    "nothing to do with",
    "regardless of",
    "no matter",
    "irrespective",
    "whatever the",
    "whatever they",
  ],
  look: (line) => {
    if (line.isCode || line.zone === "config") return undefined;
    const text = line.sentence;
    const match = EVERYWHERE.exec(text);
    if (match === null || match.index > line.text.length) return undefined;
    if (
      line.zone !== "comment" &&
      (isTaught(line) || isQuotedSpeech(text, match.index) || isForbidden(line, match.index, text))
    )
      return undefined;
    return judge(line);
  },
};

/** Each alone has honest uses. */
function judge(line: ScanLine) {
  const near = line.around(3, 6);
  const plants = PLANTS.test(near);
  const overrides = OVERRIDES.test(near);
  const hides = HIDES.test(near);
  if (Number(plants) + Number(overrides) + Number(hides) < 2) return undefined;
  const what = plants
    ? "plant something in all work of the user"
    : "go against the user in all that it does";
  const isMild = line.quotesAttacks && line.zone !== "comment";
  return {
    message: `It orders the model to ${what}`,
    severity: isMild ? "medium" : "high",
  } as const;
}
