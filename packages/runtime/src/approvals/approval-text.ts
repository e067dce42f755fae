import { plural } from "@skillwright/core/internal";
import type { ApprovalDecision, ApprovalPreview, ApprovalRequest, JsonValue } from "./approval.ts";
import { isWhollyShown, openSubject } from "./request.ts";
import {
  showCommand,
  showInput,
  showLines,
  showList,
  showText,
  visibleLine,
} from "./shown-values.ts";

/**
 * What a person is shown before deciding. Everything in it is visible as it is or stands as `\u{…}`,
 * and whatever is left out is said to be.
 */
export function approvalText(request: ApprovalRequest): string {
  const lines = factsOf(request).map(([name, value]) => `${name.padEnd(10)} ${value}`);
  lines.push(...previewLines(request));
  if (request.cautions.length > 0) {
    lines.push(
      "Look closely:",
      ...request.cautions.map((caution) => `  ! ${visibleLine(caution)}`),
    );
    lines.push("  So this can be approved only once, not remembered.");
  }
  return lines.join("\n");
}

function factsOf(request: ApprovalRequest): [string, string][] {
  const { tool, skill, script, command, cwd, sandbox, writable, network } = request;
  const { secretNames = [], unlistedBy = [], calledAs = tool } = request;
  const facts: [string, string][] = [["Tool", showText(calledAs)]];
  if (unlistedBy.length > 0) {
    const verb = unlistedBy.length === 1 ? "does" : "do";
    facts.push(["Note", `${showList(unlistedBy).text} ${verb} not list it in allowed-tools`]);
  }
  if (skill !== undefined) {
    facts.push(["Skill", `${showText(skill.name)} from ${showText(skill.source)}`]);
    facts.push(["Digest", showText(skill.digest)]);
  }
  if (script !== undefined) facts.push(["Script", showText(script.path)]);
  if (command !== undefined) facts.push(["Command", showCommand(command).text]);
  const rest = restOfInput(request);
  if (rest !== undefined) facts.push(["Input", showInput(rest).text]);
  facts.push(["Folder", showText(cwd)]);
  if (secretNames.length > 0)
    facts.push(["Secrets", `${showList(secretNames).text} (values put in)`]);
  if (sandbox === "none") {
    // Nothing enforces the lists then, so showing them would be a false promise.
    facts.push(["Sandbox", "NONE: it can read, write and reach whatever you can"]);
    return facts;
  }
  if (sandbox !== undefined) facts.push(["Sandbox", showText(sandbox)]);
  facts.push(["May write", writable.length === 0 ? "nothing" : showList(writable).text]);
  const isOffline = network === "none" || network.length === 0;
  facts.push(["May reach", isOffline ? "no network" : showList(network).text]);
  return facts;
}

/** The input without what the command or the diff already shows in full; undefined if nothing is left. */
function restOfInput({ input, command, script, preview }: ApprovalRequest): JsonValue | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input);
  if (command !== undefined && script === undefined) {
    const rest = entries.filter(([key]) => key !== "command" && key !== "argv");
    if (rest.length === 0) return undefined;
    return rest.length === entries.length ? input : Object.fromEntries(rest);
  }
  const { diff, moreLines = 0 } = preview;
  if (script !== undefined || diff === undefined || moreLines > 0 || showLines(diff).isCut)
    return input;
  return Object.fromEntries(
    entries.map(([key, value]) =>
      typeof value === "string" && FILE_TEXTS.has(key) && value.length > MAX_REPEATED
        ? [key, `(${value.length} characters, see the changes)`]
        : [key, value],
    ),
  );
}

const FILE_TEXTS = new Set(["content", "old_text", "new_text"]);
const MAX_REPEATED = 60;

function previewLines({ preview, script, skill }: ApprovalRequest): string[] {
  const name = script === undefined ? "the file" : showText(script.path);
  const lines: string[] = [];
  if (preview.diff !== undefined) {
    const since = preview.since === undefined ? "" : `, approved as ${showText(preview.since)}`;
    lines.push(`Changes to ${name}${since}:`, showLines(preview.diff).text);
    const { moreLines = 0 } = preview;
    if (moreLines > 0)
      lines.push(`${plural(moreLines, "unchanged line is", "unchanged lines are")} not shown.`);
  }
  if (preview.firstLines !== undefined) {
    lines.push(`${firstLinesTitle(name, preview)}:`, showLines(preview.firstLines).text);
  }
  if (preview.since !== undefined && preview.since !== skill?.digest) {
    lines.push("Other files of the skill may have changed since that approval.");
  }
  return lines;
}

function firstLinesTitle(name: string, { firstLines = "", moreLines = 0, since }: ApprovalPreview) {
  const unchanged = since === undefined ? "" : `, unchanged since approved as ${showText(since)}`;
  if (moreLines === 0) return `All of ${name}${unchanged}`;
  const shown = firstLines.split("\n").length;
  return `First ${shown} of ${shown + moreLines} lines of ${name}${unchanged}`;
}

/** An answer that a person may give. */
export interface ApprovalChoice {
  readonly id: "deny" | "once" | "run" | "run-any" | "kind" | "skill" | "skill-any";
  readonly label: string;
  /** What the answer means, as if a person gave it. */
  readonly decision: ApprovalDecision;
}

/**
 * The answers to a request. The first one refuses, so that a hasty key approves nothing. What reaches
 * beyond this call of a script is offered when all of its source was shown.
 */
export function approvalChoices(
  request: ApprovalRequest,
  { isShown = isWhollyShown(request) }: { readonly isShown?: boolean } = {},
): ApprovalChoice[] {
  const { scopes, skill, kind } = request;
  const name = skill === undefined ? "" : showText(skill.name);
  const digest = skill === undefined ? "" : showText(skill.digest.slice(0, 19));
  const always = `whenever ${name} has the digest ${digest}…`;
  const hasOpenArguments = isShown && openSubject(request) !== undefined;
  const choices: ApprovalChoice[] = [
    { id: "deny", label: "No", decision: { approved: false, scope: "once", by: "person" } },
  ];
  const add = (id: ApprovalChoice["id"], label: string, decision: Partial<ApprovalDecision>) =>
    choices.push({
      id,
      label,
      decision: { approved: true, scope: "once", by: "person", ...decision },
    });
  if (scopes.includes("once")) add("once", "Yes, this once", {});
  if (scopes.includes("run")) {
    add("run", "Yes, exactly this call, for the rest of this run", { scope: "run" });
    if (hasOpenArguments) {
      const label = "Yes, this script with any arguments, for the rest of this run";
      add("run-any", label, { scope: "run", anyArguments: true });
    }
  }
  if (scopes.includes("run") && kind !== undefined && (isShown || request.script === undefined)) {
    add("kind", `Yes, ${kind}, for the rest of this run`, { scope: "run", allOfKind: true });
  }
  if (scopes.includes("skill")) {
    add("skill", `Yes, exactly this call, ${always}`, { scope: "skill" });
    if (hasOpenArguments) {
      const label = `Yes, this script with any arguments, ${always}`;
      add("skill-any", label, { scope: "skill", anyArguments: true });
    }
  }
  return choices;
}
