import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { SkillVerificationError } from "@modelcontextprotocol/client/ext/skills";
import { HostError, mcpFailure, type McpFailure } from "../mcp-failure.ts";
import { hideSecrets } from "../settings/hide-secrets.ts";
import type { ServerSettings } from "../settings/server-settings.ts";
import { shownText } from "../shown-text.ts";

export interface ServerDetails {
  readonly problem?: string | undefined;
  readonly log: string;
}

/** What went wrong with a server, in a sentence that holds none of its secrets; it had so much time. */
export function failureOf(
  error: unknown,
  { label, secrets }: Pick<ServerSettings, "label" | "secrets">,
  { problem, log }: ServerDetails,
  milliseconds?: number,
): McpFailure {
  const isLate = isTimeout(error) && problem === undefined;
  const time = milliseconds === undefined ? "in time" : `within ${milliseconds / 1000} s`;
  const given = isLate ? `it did not answer ${time}` : reasonOf(error, problem);
  const reason = shownText(hideSecrets(given, secrets));
  const last = shownText(hideSecrets(lastLine(log), secrets));
  const code = codeOf(error, problem);
  const hint = last === "" || code === "skill-unverified" ? undefined : `it said last: ${last}`;
  return mcpFailure(code, `the MCP server ${label}: ${reason}`, hint);
}

function reasonOf(error: unknown, problem: string | undefined): string {
  if (error instanceof SdkError && isClosed(error) && problem !== undefined) return problem;
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown, problem: string | undefined): McpFailure["code"] {
  if (error instanceof HostError) return error.code;
  if (error instanceof SkillVerificationError) return "skill-unverified";
  if (error instanceof ProtocolError) return "server-refused";
  if (problem?.startsWith("it sent more") === true) return "server-excessive";
  if (isTimeout(error)) return "server-timeout";
  if (error instanceof Error && /\bsent more than\b/.test(error.message)) return "server-excessive";
  return "server-unreachable";
}

function isTimeout(error: unknown): boolean {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return true;
  return error instanceof Error && error.name === "TimeoutError";
}

function isClosed({ code }: SdkError): boolean {
  return code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.NotConnected;
}

function lastLine(log: string): string {
  return log.trimEnd().split("\n").at(-1) ?? "";
}
