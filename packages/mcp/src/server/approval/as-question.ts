import {
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isObject } from "../methods/tool-result.ts";
import type { HidePaths } from "../path-hider.ts";
import type { ClientCall, ClientQuestion } from "./client-approver.ts";

const APPROVAL = "approval";
const ALLOW = "allow once";
const DENY = "deny";
const ONLY = "only";
const FILES = {
  type: "string",
  title: "Only these files or folders",
  description: "One in each line. Empty for all of them.",
} as const;
/** Stands before each line of a script in the text of a question, and before no other. */
const SCRIPT_LINE = "  | ";

/** A question as the protocol has it. */
export function asQuestion(
  { text, state, isAboutChanges }: ClientQuestion,
  hidePaths: HidePaths,
): InputRequiredResult {
  const [opening, title] = isAboutChanges
    ? ["A script ran and changed files:", "Keep the changes?"]
    : ["A skill asks to run something:", "May it run?"];
  return inputRequired({
    requestState: state,
    inputRequests: {
      [APPROVAL]: inputRequired.elicit({
        message: `${opening}\n\n${withoutPaths(text, hidePaths)}`,
        requestedSchema: {
          type: "object",
          properties: {
            decision: { type: "string", title, enum: [DENY, ALLOW] },
            ...(isAboutChanges && { [ONLY]: FILES }),
          },
          required: ["decision"],
        },
      }),
    },
  });
}

/** The answer that comes with a call. Anything but a clear yes is a no. */
export function answerIn({ mcpReq }: ServerContext): ClientCall["answer"] {
  const { inputResponses, requestState } = mcpReq;
  const state: unknown = requestState();
  const response =
    inputResponses && Object.hasOwn(inputResponses, APPROVAL) && inputResponses[APPROVAL];
  if (typeof state !== "string" || !isObject(response)) return undefined;
  const { action, content } = response;
  const approved = action === "accept" && isObject(content) && content["decision"] === ALLOW;
  const only = isObject(content) ? linesOf(content[ONLY]) : [];
  return { state, approved, only };
}

function linesOf(value: unknown): readonly string[] {
  if (typeof value !== "string") return [];
  const lines = value.split("\n").map((line) => line.trim().replace(/\/$/, ""));
  return lines.filter((line) => line !== "");
}

/** Only in what is said about the call: the lines of a script are shown as they run. */
function withoutPaths(text: string, hidePaths: HidePaths): string {
  const hidden = (line: string) => (line.startsWith(SCRIPT_LINE) ? line : hidePaths(line));
  return text.split("\n").map(hidden).join("\n");
}
