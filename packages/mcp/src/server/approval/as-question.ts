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
/** Stands before each line of a script in the text of a question, and before no other. */
const SCRIPT_LINE = "  | ";

/** A question as the protocol has it. */
export function asQuestion(
  { text, state }: ClientQuestion,
  hidePaths: HidePaths,
): InputRequiredResult {
  return inputRequired({
    requestState: state,
    inputRequests: {
      [APPROVAL]: inputRequired.elicit({
        message: `A skill asks to run something:\n\n${withoutPaths(text, hidePaths)}`,
        requestedSchema: {
          type: "object",
          properties: {
            decision: { type: "string", title: "May it run?", enum: [DENY, ALLOW] },
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
  return { state, approved };
}

/** Only in what is said about the call: the lines of a script are shown as they run. */
function withoutPaths(text: string, hidePaths: HidePaths): string {
  const hidden = (line: string) => (line.startsWith(SCRIPT_LINE) ? line : hidePaths(line));
  return text.split("\n").map(hidden).join("\n");
}
