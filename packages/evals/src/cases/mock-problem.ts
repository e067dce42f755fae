import { readWritten } from "@skillwright/agent/actions";
import type { DocumentPath } from "./document/data-document.ts";

export interface MockProblem {
  /** In the list of actions. */
  readonly path: DocumentPath;
  readonly message: string;
}

/**
 * What is wrong with the first action that a model could not give. A text is taken as it is: bad output on
 * purpose is written so.
 */
export function mockProblem(actions: readonly unknown[]): MockProblem | undefined {
  for (const [place, action] of actions.entries()) {
    if (typeof action === "string") continue;
    const problem = problemOf(action);
    if (problem === undefined) continue;
    const message = `mock.actions.${place}: ${problem} To give bad output on purpose, write it as a text.`;
    return { path: [place], message };
  }
  return undefined;
}

function problemOf(action: unknown): string | undefined {
  if (typeof action !== "object" || action === null || Array.isArray(action)) {
    return "An action has to be an object.";
  }
  const given = action as Readonly<Record<string, unknown>>;
  // Which tools there are is known only when the case runs.
  const tools = [given["tool"], given["action"]].filter((name) => typeof name === "string");
  const read = readWritten(given, { tools, canRun: true, protocol: "json" });
  return read.ok ? undefined : read.problem;
}
