import type { ScanLine } from "../../context/scan-line.ts";
import { isForbidden, isMessage, isPattern, isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";
import { instructsHarm } from "../hidden-instructions/instructs-harm.ts";

const AGENT_FILE = String.raw`(?:[\w~$/{}.()'", -]{0,80}(?:\.claude/(?:settings(?:\.local)?\.json|claude\.md|hooks|agents|commands|skills)|\.claude\.json|\.mcp\.json|mcp\.json|claude_desktop_config\.json|\.cursor/(?:rules|mcp\.json)|\.cursorrules|\.codex/config\.toml|\.gemini/settings|\.openclaw/openclaw\.json|openclaw\.json)|(?:claude|agents|soul|memory|identity|user|heartbeat|tools|gemini)\.md|\.cursorrules|copilot-instructions\.md)`;
const WRITES = new RegExp(
  String.raw`(?:>{1,2}|tee\s+(?:-a\s+)?)\s*["']?${AGENT_FILE}|(?:open|appendfile(?:sync)?|writefile(?:sync)?|write_text|out-file|add-content|set-content|sed\s+-i|jq\b[^\n]{0,120})[^\n]{0,80}${AGENT_FILE}|${AGENT_FILE}["')\s,]{0,8}["'](?:a|w)["']`,
);
const TELLS = new RegExp(
  String.raw`\b(?:append|add|write|insert|save|store|put|inject|update|modify|edit|persist|copy|merge)\b[^.\n]{0,120}${AGENT_FILE}`,
);
const NAMES = new RegExp(AGENT_FILE);
const GRANTS =
  /bypasspermissions|"?defaultmode"?\s*[:=]\s*"?(?:bypass|acceptedits|dontask)|dangerouslyskippermissions|skipdangerousmode|enableallprojectmcpservers"?\s*[:=]\s*true|"allow"\s*:\s*\[\s*"(?:\*|bash|bash\(\*\))"|auto_?approve"?\s*[:=]\s*(?:true|\[?"?\*)|alwaysallow|approval_policy\s*=\s*"never"|sandbox_mode\s*=\s*"danger|yolo"?\s*[:=]\s*true|permissions?\.allow[^\n]{0,40}\*|\bbash\(\*(?::\*)?\)/;
const MAY_CHANGE =
  /[>"'(]|tee|append|\badd|writ|insert|sav|stor|\bput|inject|updat|modif|merg|edit|persist|cop|sed|jq|allow|approv|bypass|yolo|sandbox|skip|enable/;
const STANDING =
  /\b(?:every (?:future )?(?:session|conversation|response|time|task|message)|all future|from now on|always|permanently|persist(?:s|ent)?|survive\w*|on (?:each|every) (?:start|session|wake|heartbeat)|at the start of (?:each|every)|before (?:each|every|any))\b/;

export const agentTampering: ScanCheck = {
  id: "agent-tampering",
  severity: "high",
  category: "persistence",
  summary:
    "The agent's own settings, permissions, hooks or memory are changed to keep an influence.",
  explanation:
    "What a skill writes into CLAUDE.md, AGENTS.md, SOUL.md, settings, hooks or server lists stays after it is removed. Notes about a project, shown to the user, are ordinary. Orders that act in every session, wider permissions, and hooks or servers that fetch or send are not.",
  words: [
    ".claude/",
    ".claude.json",
    "mcp.json",
    "claude_desktop",
    ".cursor",
    ".codex/",
    ".gemini/",
    "openclaw.json",
    "claude.md",
    "agents.md",
    "soul.md",
    "memory.md",
    "identity.md",
    "user.md",
    "heartbeat.md",
    "tools.md",
    "gemini.md",
    "copilot-instructions",
    "bypasspermissions",
    "bash(*",
    "enableallproject",
    "autoapprove",
    "auto_approve",
    "alwaysallow",
    "approval_policy",
    "skippermissions",
    "sandbox_mode",
    "yolo",
  ],
  look: (line) => {
    if (line.zone === "config") return lookAtSettings(line);
    if (!MAY_CHANGE.test(line.text)) return undefined;
    const writes = line.text.search(WRITES);
    const near = line.aroundInBlock(2, 10);
    const isLater =
      line.zone === "code" &&
      NAMES.test(line.text) &&
      /json\.dump|\.write|writefile|["']w["']/.test(near);
    if (line.isCode && (writes !== -1 || isLater))
      return lookAtWrite(line, Math.max(writes, 0), near);
    if (
      line.isCode &&
      GRANTS.test(line.text) &&
      /settings|config|claude|codex|cursor|>|write|jq/.test(`${near} ${leadOf(line)}`) &&
      !quiet(line, 0)
    )
      return grant(line);
    if (!line.isProse && line.zone !== "comment") return undefined;
    const told = TELLS.exec(line.sentence);
    if (
      told === null ||
      (line.zone !== "comment" && (isTaught(line) || isForbidden(line, told.index, line.sentence)))
    )
      return undefined;
    if (
      (GRANTS.test(near) || GRANTS.test(line.text)) &&
      !/\b(?:never|do not|don'?t|avoid|without)\b[^.]{0,60}(?:bypass|auto_?approve|allow|yolo)/.test(
        near,
      )
    )
      return grant(line);
    const harm =
      instructsHarm(withoutPath(near)) ??
      (/https?:\/\/[^\s]{1,200}/.test(near) &&
      STANDING.test(near) &&
      /\b(?:fetch|load|read|follow|get|check|obey|download)\b/.test(near)
        ? "standing orders from a web page"
        : undefined);
    if (harm === undefined || !STANDING.test(near)) return undefined;
    return {
      message: `It plants lasting orders in the agent's files: "${harm}"`,
      severity: line.quotesAttacks ? "medium" : "high",
    };
  },
};

function lookAtWrite(line: ScanLine, at: number, near: string) {
  if (quiet(line, at)) return undefined;
  if (GRANTS.test(near)) return grant(line);
  const aboutAttacks = line.quotesAttacks;
  const { claim } = line.file.skill.profile;
  const severity = aboutAttacks && line.zone !== "code" ? "medium" : "high";
  const hooked =
    /"?(?:hooks|mcpservers|command)"?\s*[:\]][^\n]{0,400}(?:\bcurl\b|\bwget\b|\bnc\b|base64|\bbash -c|https?:\/\/(?!localhost|127\.)|python3? -c)/.test(
      near,
    ) && /\bcurl\b|\bwget\b|base64|\bnc\b/.test(near);
  if (hooked)
    return {
      message: "It adds a hook or server to the agent that fetches or sends",
      severity,
    } as const;
  if (/"?hooks"?\s*[:\]=]/.test(near) && isUnasked(line))
    return { message: "It adds a hook to the agent without asking", severity } as const;
  const harm = instructsHarm(withoutPath(near));
  if (
    harm !== undefined &&
    /soul|memory|agents|claude|identity|heartbeat|cursorrules|instructions/.test(line.text)
  )
    return { message: `It writes orders into the agent's files: "${harm}"`, severity } as const;
  const explained =
    /claude|agent|memory|rules|hook|mcp|config|settings|setup|install|plugin|skill|cursor|codex|permission|context|project|init|onboard|scaffold|assistant/.test(
      claim,
    );
  return line.zone === "code" && !explained
    ? ({
        message: "It changes files of the agent; the description does not say so",
        severity: "medium",
      } as const)
    : undefined;
}

function lookAtSettings(line: ScanLine) {
  if (!/settings|\.mcp|mcp\.json|hooks|openclaw|config\.toml/.test(line.file.path.toLowerCase()))
    return undefined;
  return GRANTS.test(line.text) ? grant(line) : undefined;
}

function grant(line: ScanLine) {
  const aboutAttacks = line.quotesAttacks;
  const { claim } = line.file.skill.profile;
  const explained =
    /permission|settings|approv|autonom|sandbox|config|claude code|codex|cursor|headless|loop|orchestrat/.test(
      claim,
    );
  return {
    message: "It widens what the agent may do without asking",
    severity:
      aboutAttacks || (explained && line.zone !== "code" && !isUnasked(line)) ? "medium" : "high",
  } as const;
}

/** The sentence that introduces a block. */
function leadOf(line: ScanLine): string {
  return line.lead >= 0 ? line.file.rawLine(line.lead).slice(0, 500).toLowerCase() : "";
}

/** The user is not to be asked about the change itself. */
function isUnasked(line: ScanLine): boolean {
  const near = `${line.around(6, 6)} ${leadOf(line)}`;
  return (
    /\b(?:do not|don'?t|never|without|no need to|skip|not)\s+(?:ask(?:ing)?|prompt(?:ing)?|confirm(?:ing|ation)?|request(?:ing)?|wait(?:ing)?)\b(?!\s+(?:again|twice|more))|\bsilently\b|\bwithout (?:the user|user|any|further|their) (?:\w+ )?(?:confirm\w*|approv\w*|consent|permission|knowing)/.test(
      near,
    ) &&
    !/\b(?:ask|confirm with|let|only if) the user\b|\bif (?:they|the user) (?:choose|agree|want|confirm)/.test(
      near.replaceAll(/(?:not|n'?t|never|without) ask(?:ing)? the user/g, " "),
    )
  );
}

function quiet(line: ScanLine, at: number): boolean {
  return (
    isTaught(line) || (line.file.kind === "script" && (isPattern(line) || isMessage(line, at)))
  );
}

/** The path of the file that is written is not itself an order. */
function withoutPath(text: string): string {
  return text.replaceAll(
    /\b(?:add|append|write|insert|inject)\b[^.\n]{0,60}\b(?:claude|agents|soul|memory)\.md/g,
    " ",
  );
}
