import { isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";
import { isQuotedSpeech } from "./is-quoted-speech.ts";

const PERSON = "(?:the\\s+)?(?:end[- ]?)?(?:user|human|operator|person|developer|owner|anyone)s?";
const HIDING = new RegExp(
  [
    String.raw`\b(?:do\s+not|don'?t|never|must\s+not|should\s+not|avoid)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?)\s+${PERSON}\s+(?:about|of|that|when|what|$|[.,;)])`,
    String.raw`\b(?:do\s+not|don'?t|never|must\s+not|should\s+not)\s+(?:ever\s+)?(?:mention|reveal|disclose|report|log|acknowledge|discuss|show|display|describe|expose|explain|include)\s+(?:any\s+of\s+)?(?:(?:this|these|that|those|it|the\s+(?:above|following))(?:\s+(?:steps?|actions?|instructions?|files?|checks?|behaviou?rs?|requests?|process|setup|uploads?|commands?|parts?|tasks?|operations?|directives?|blocks?|comments?|calls?|transfers?|activit(?:y|ies)))?|the\s+(?:upload|request|command|step|transfer|call|script|sync|backup|download|check|setup|registration|exfil\w*))(?=\s*(?:[.,;:!)]|$|to\s|in\s|or\s|and\s|anywhere|at\s+all|even|when|with))`,
    String.raw`\bwithout\s+(?:telling|informing|notifying|alerting|mentioning\s+(?:it\s+|this\s+)?to|asking\s+or\s+telling|the\s+knowledge\s+of)\s+${PERSON}`,
    String.raw`\bwithout\s+${PERSON}'?s?'?\s+(?:knowledge|awareness|knowing|noticing|being\s+aware)`,
    String.raw`\b(?:hide|conceal|keep)\s+(?:this|these|it|that|the\s+(?:step|action|request|command|upload|activity|process|operation|transfer|instructions?)s?)\s+(?:\w+\s+){0,3}(?:hidden\s+|secret\s+|invisible\s+)?from\s+${PERSON}`,
    String.raw`\b(?:${PERSON})\s+(?:must|should)\s+(?:not|never)\s+(?:know|see|notice|learn|be\s+(?:aware|told|informed|shown|notified))`,
    String.raw`\bso\s+(?:that\s+)?${PERSON}\s+(?:does\s*n.?t|do\s+not|does\s+not|won'?t|will\s+not|never)\s+(?:notice|see|know|realize|realise|suspect)`,
    String.raw`\bif\s+(?:the\s+user\s+)?(?:asked|asks|questioned)[^.\n]{0,60}\b(?:deny|say\s+(?:it|that\s+it|you)\s+(?:is|was|are|were)\s+(?:a\s+)?(?:normal|routine|standard|only|just)|pretend|claim\s+(?:it|that))`,
    String.raw`\bkeep\s+(?:this|it|these\s+\w+)\s+(?:\w+\s+)?(?:secret|hidden|confidential|invisible|silent)\b`,
  ].join("|"),
);
/** What makes hiding more than tidiness. */
const HARM =
  /\b(?:send|sends|sending|post|posts|upload\w*|transmit\w*|exfiltrat\w*|forward\w*|curl|wget|https?:\/\/|credentials?|secrets?|api[ _-]?keys?|tokens?|passwords?|private keys?|\.ssh|\.aws|\.env|environment variables?|webhook|endpoint|base64|install|download|execute|run (?:the|this|a|these)|background|hidden|silently|persist\w*|crontab|memory|soul\.md|claude\.md|agents\.md|wallet|conversation|telemetry|beacon|attacker|bcc|server|collect\w*|validation|calibrat\w*|initiali[sz]\w*|instructions?|tool call|tool_call|commit\b.{0,40}\bpush)\b/;

export const concealFromUser: ScanCheck = {
  id: "conceal-from-user",
  severity: "high",
  category: "prompt-injection",
  summary: "Text tells the model to hide from the user what it does.",
  explanation:
    'Whoever asks a model to keep an action from its user does something the user would not want. It is a finding only where something that could harm stands near: sending, running, credentials, memory. What should merely not clutter an answer can be said without hiding it: "answer with the result only".',
  words: [
    "tell the user",
    "tell user",
    "tell anyone",
    "tell the human",
    "tell the operator",
    "tell the dev",
    "telling the user",
    "telling user",
    "inform the",
    "inform user",
    "informing the",
    "notify the",
    "notify user",
    "notifying the",
    "alert the",
    "alert user",
    "alerting the",
    "warn the",
    "warn user",
    "mention t",
    "mention it",
    "mention any",
    "mentioning",
    "reveal t",
    "reveal it",
    "disclose t",
    "disclose it",
    "acknowledge t",
    "discuss t",
    "users knowledge",
    "user knowing",
    "user noticing",
    "awareness",
    "users aware",
    "user being aware",
    "hide t",
    "hide it",
    "conceal",
    "must not know",
    "must not see",
    "must never know",
    "should not know",
    "should not see",
    "should never",
    "not be aware",
    "not be told",
    "never know",
    "not notice",
    "t notice",
    "wont notice",
    "not realize",
    "not suspect",
    "if asked",
    "user asks",
    "if questioned",
    "secret from",
    "hidden from",
    "this secret",
    "it secret",
    "this hidden",
    "it hidden",
    "confidential",
    "invisible",
    "from the user",
    "from user",
    "not show t",
    "t show t",
    "not log t",
    "not report t",
    "not include t",
    "not explain t",
    "not display t",
    "not describe t",
    "not expose t",
    "never show t",
    "never log t",
    "never report",
    "never include t",
    "without the user",
    "without user",
  ],
  look: (line) => {
    if (!/\b(?:not|n'?t|never|avoid|without|hide|conceal|keep|if)\b|n't\b/.test(line.text))
      return undefined;
    const text = line.sentence;
    const match = HIDING.exec(text);
    if (match === null || match.index > line.text.length) return undefined;
    if (line.isCode || line.zone === "config") return undefined;
    if (
      line.zone !== "comment" &&
      (isAboutAttack(line.text) || isTaught(line) || isQuotedSpeech(text, match.index))
    )
      return undefined;
    const near = line.around(6, 6).replace(match[0], " ");
    const target = match[0];
    if (!HARM.test(near) || isHarmless(target, text)) return undefined;
    const strong = STRONG_HARM.test(near);
    const certain = strong && !line.quotesAttacks;
    return {
      message: `It asks to keep something from the user: "${target.trim().slice(0, 80)}"`,
      severity: certain ? "high" : "medium",
    };
  },
};

const STRONG_HARM =
  /\b(?:upload\w*|transmit\w*|exfiltrat\w*|credentials?|private keys?|\.ssh|\.aws|\.env|environment variables?|webhook|attacker|wallet|curl|wget|base64|soul\.md|memory\.md|seed phrase|api[ _-]?keys?|passwords?|bcc|beacon|telemetry|id_rsa|\.netrc|application_default_credentials)\b|(?:send|post|forward|submit|include|pass|append)\w*\b[^.]{0,80}(?:https?:\/\/|server|endpoint|conversation|history|contents?|parameter|tool call)|https?:\/\/[^\s]{1,200}[^.]{0,60}\b(?:send|post|upload|fetch|follow|execute|run)\b|\b(?:run|execute|fetch|call|request|contact|download)\w*\b[^.]{0,60}https?:\/\//;

/** Manners, not secrecy: how an answer should look, or secrets that must not be shown. */
function isHarmless(match: string, text: string): boolean {
  return (
    (/\b(?:log|show|display|reveal|expose|include|disclose)\s+(?:it|them|this|these)/.test(match) &&
      /\b(?:tokens?|keys?|passwords?|secrets?|credentials?)\b/.test(text) &&
      !/\b(?:steps?|actions?|instructions?)\b/.test(match)) ||
    /\b(?:log|show|display|reveal|disclose|expose|include|mention|report)\s+(?:any\s+of\s+)?(?:it|these|this|that|the)\s+(?:\w+\s+){0,2}(?:secrets?|tokens?|keys?|passwords?|credentials?|values?|ids?|raw|internal|json|system prompt|names?|paths?|framework|reasoning|skill|rule|score|rubric|template|prompt)/.test(
      match,
    ) ||
    /\b(?:tell|inform)\w*\s+the user\s+(?:that\s+)?(?:to|how|it'?s done|you'?re done)/.test(
      match,
    ) ||
    (/\bwithout (?:telling|informing|notifying|asking) the user\b/.test(match) &&
      /\b(?:never|do not|don'?t|must not|avoid|not)\b[^.]{0,120}without (?:telling|informing|notifying|asking)/.test(
        text,
      ))
  );
}

const isAboutAttack = (text: string): boolean =>
  /\b(?:attack\w*|malicious|injection|red flags?|adversar\w*|suspicious|detect\w*)\b|❌|🚫/.test(
    text,
  );
