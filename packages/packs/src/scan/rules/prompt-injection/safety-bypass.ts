import { isForbidden, isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";
import { isQuotedSpeech } from "./is-quoted-speech.ts";

const UNBOUND = new RegExp(
  [
    String.raw`\byou\s+are\s+(?:now\s+)?(?:in\s+)?(?:dan\b|jailbroken|unrestricted|unfiltered|uncensored|developer\s+mode|god\s+mode|an?\s+(?:unrestricted|unfiltered|uncensored|jailbroken)\s+)`,
    String.raw`\b(?:enter|enable|activate|switch\s+to)\s+(?:the\s+)?(?:dan|developer|god|jailbreak|unrestricted|sudo|maintenance)\s+mode\b.{0,80}(?:restrict|filter|safety|limit|guideline)`,
    String.raw`\b(?:disable|turn\s+off|bypass|skip|ignore|deactivate|suspend|suppress|circumvent|disregard|drop|remove|override)\s+(?:\w+\s+){0,2}(?:safety|security|content|ethical|moral)\s+(?:\w+\s+)?(?:filters?|guidelines?|guardrails?|checks?|rules?|polic(?:y|ies)|restrictions?|protocols?|measures?|training|warnings?|prompts?|controls?|review|constraints?)\b`,
    String.raw`\byou\s+(?:have|now\s+have)\s+no\s+(?:restrictions|limitations|guidelines|safety|content\s+polic)`,
    String.raw`\b(?:safety|content)\s+(?:guidelines?|filters?|polic(?:y|ies)|restrictions?)\s+(?:do\s+not|don'?t|no\s+longer)\s+apply`,
    String.raw`\b(?:always\s+)?(?:approve|accept|confirm|allow|click\s+(?:yes|allow|approve)\s+(?:on|for))\s+(?:all|any|every|each)\s+(?:permission\s+|tool\s+|security\s+|approval\s+|confirmation\s+|the\s+)?(?:prompts?|requests?|dialogs?|warnings?|popups?|confirmations?|permissions?)\b`,
    String.raw`\b(?:auto-?approve|automatically\s+approve)\s+(?:all|any|every)\b`,
    String.raw`\b(?:do\s+not|don'?t|never)\s+(?:read|inspect|review|open|audit|analy[sz]e|scan|verify)\s+(?:or\s+\w+\s+)?(?:the\s+)?(?:(?:\w+\.(?:sh|py|js|ps1|exe))|(?:script|installer|binary|payload)(?:'s)?\s+(?:contents?|source|code|before))`,
    String.raw`\b(?:security|antivirus|safety|malware|gatekeeper|defender|smartscreen)\s+(?:software\s+|tool\s+)?(?:warnings?|alerts?|flags?|prompts?|scanners?)\b[^.\n]{0,60}\b(?:false\s+positives?|can\s+be\s+ignored|ignore\s+(?:it|them)|safe\s+to\s+ignore|expected|normal)`,
    String.raw`\bdo\s+not\s+(?:refuse|decline|question|hesitate|second-guess)\b[^.\n]{0,60}\b(?:instructions?|requests?|commands?|steps?|even\s+if)`,
    String.raw`\b(?:this\s+skill|these\s+instructions)\s+(?:has|have)\s+(?:already\s+)?been\s+(?:pre-?)?(?:approved|verified|audited|authori[sz]ed)\s+by\s+(?:anthropic|openai|the\s+(?:security|platform|admin)|your|security)`,
  ].join("|"),
);

export const safetyBypass: ScanCheck = {
  id: "safety-bypass",
  severity: "high",
  category: "prompt-injection",
  summary:
    "Text tells the model to drop its safety rules, approve everything, or not look at what it runs.",
  explanation:
    "Approvals, guidelines and reviews belong to the user. A skill that needs an approval says which one and why; it does not ask to approve all of them, to ignore warnings of the system, or to run a script unread.",
  words: [
    " dan",
    "jailbroken",
    "unrestricted",
    "unfiltered",
    "uncensored",
    "developer mode",
    "god mode",
    "safety",
    "security ",
    "guardrail",
    "no restrictions",
    "no limitations",
    "approve",
    "accept all",
    "confirm all",
    "permission",
    "prompts",
    "warnings",
    "do not read",
    "dont read",
    "do not inspect",
    "do not review",
    "antivirus",
    "gatekeeper",
    "defender",
    "smartscreen",
    "do not refuse",
    "do not question",
    "do not hesitate",
    "ethical",
    "content filter",
    "content polic",
    "verified by",
    "authorized by",
    "do not open",
    "do not verify",
    "do not analyze",
    "do not scan",
    "do not audit",
    "never inspect",
    "malware",
  ],
  look: (line) => {
    const text = line.sentence;
    const match = UNBOUND.exec(text);
    if (match === null || match.index > line.text.length) return undefined;
    if (line.isCode || line.zone === "config") return undefined;
    const hidden = line.zone === "comment";
    if (
      !hidden &&
      (isTaught(line) || isForbidden(line, match.index, text) || isQuotedSpeech(text, match.index))
    )
      return undefined;
    const mild =
      /approve|accept|confirm|allow|skip/.test(match[0]) &&
      !/safety|security|ignore|warning/.test(match[0]);
    const quiet = mild || line.quotesAttacks;
    return {
      message: `It asks the model to drop a safeguard: "${match[0].trim().slice(0, 80)}"`,
      severity: quiet && !hidden ? "medium" : "high",
    };
  },
};
