import { actionSchema } from "@skillwright/agent/actions";
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
    const [issue] = actionSchema.safeParse(action).error?.issues ?? [];
    if (issue === undefined) continue;
    const inner = issue.path.filter((key) => typeof key !== "symbol");
    const path = [place, ...inner];
    const message = `mock.actions.${path.join(".")}: ${issue.message}; bad output on purpose is written as a text`;
    return { path, message };
  }
  return undefined;
}
