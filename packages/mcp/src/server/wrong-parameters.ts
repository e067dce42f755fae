import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { quoteLine } from "@skillwright/core/internal";
import * as z from "zod";

const ISSUES = z.array(z.object({ path: z.array(z.unknown()), message: z.string() })).min(1);
const MAX_LENGTH = 200;

/** An error of the validator, which has a list of issues for its message, in words; undefined for others. */
export function wrongParameters(method: string, error: unknown): ProtocolError | undefined {
  const [issue] = issuesOf(error);
  if (issue === undefined) return undefined;
  const path = issue.path.filter((key) => key !== "params").join(".");
  const where = path === "" ? "" : `${path}: `;
  const what = quoteLine(`${where}${issue.message}`, MAX_LENGTH);
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `the parameters of ${method} are wrong: ${what}`,
  );
}

function issuesOf(error: unknown): z.infer<typeof ISSUES> | [] {
  if (!(error instanceof Error)) return [];
  // Some methods say before the list what it is about.
  const list = /^(?:Invalid \S+ request: )?(\[\s*\{[^]*\])$/.exec(error.message)?.[1];
  try {
    return ISSUES.safeParse(JSON.parse(list ?? "[]")).data ?? [];
  } catch {
    return [];
  }
}
