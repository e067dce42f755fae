import { defined } from "@skillwright/core/internal";
import type { Failure } from "@skillwright/core";
import {
  defineWorkspaceTool,
  type Workspace,
  type WorkspaceOptions,
  type WorkspaceTool,
} from "../workspace.ts";
import type { NetworkRequestResult, OutgoingRequest, SendOptions } from "./send-request.ts";

const METHODS = ["GET", "HEAD", "POST"];
const MAX_BODY_BYTES = 1024 * 1024;

export function networkRequestTool(
  { maxOutputBytes }: Workspace,
  { allowedDomains = [], networkTimeoutSeconds = 30, transport, lookup }: WorkspaceOptions,
): WorkspaceTool {
  const options = { allowedDomains, maxBytes: maxOutputBytes, transport, lookup };
  return defineWorkspaceTool({
    name: "network_request",
    description:
      "Asks a web server over https, on allowed domains only. Answers with the status and the text.",
    parameters: {
      url: { type: "string", description: "The https URL." },
      method: { type: "string", optional: true, description: "GET (default), HEAD or POST." },
      body: {
        type: "string",
        optional: true,
        private: true,
        description: "What to send with POST.",
      },
      content_type: { type: "string", optional: true, description: "The type of the body." },
      accept: { type: "string", optional: true, description: "The type of answer to ask for." },
    },
    run: async ({ url, method: given = "GET", body, content_type, accept = "*/*" }, context) => {
      const method = given.toUpperCase();
      const type = content_type ?? "application/json";
      const problem = problemOf(method, body, [type, accept]);
      if (problem !== undefined) return failure("input-invalid", problem);
      const headers = { accept, ...(body !== undefined && { "content-type": type }) };
      const request = { url, method, headers, ...defined({ body }) };
      return ask(request, options, networkTimeoutSeconds, context.signal);
    },
    toText: ({ url, status, contentType, text, bytes, truncated }) => {
      const head = `${status} ${url} (${contentType}, ${bytes} bytes${truncated ? ", cut" : ""})`;
      return text === undefined ? `${head}\n[The answer is not text.]` : `${head}\n\n${text}`;
    },
  });
}

function problemOf(
  method: string,
  body: string | undefined,
  headers: readonly string[],
): string | undefined {
  if (!METHODS.includes(method)) return `the method must be one of ${METHODS.join(", ")}`;
  if (body !== undefined && method !== "POST") return "only POST has a body";
  if (Buffer.byteLength(body ?? "") > MAX_BODY_BYTES) {
    return `the body is longer than ${MAX_BODY_BYTES} bytes`;
  }
  const isPlain = headers.every((value) => /^[\x20-\x7e]{0,200}$/.test(value));
  return isPlain ? undefined : "content_type and accept must be short plain text";
}

async function ask(
  request: Omit<OutgoingRequest, "signal">,
  options: SendOptions,
  timeoutSeconds: number,
  given: AbortSignal | undefined,
): Promise<NetworkRequestResult | Failure> {
  const { sendRequest } = await import("./send-request.ts");
  // `any` does not hold it; that it is asked below keeps it from going with the garbage.
  const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
  const signal = given === undefined ? timeout : AbortSignal.any([timeout, given]);
  try {
    return await untilAborted(sendRequest({ ...request, signal }, options), signal);
  } catch (error) {
    if (given?.aborted === true) return failure("aborted", "the call was aborted");
    if (timeout.aborted) {
      const message = `the answer was not complete within ${timeoutSeconds} seconds`;
      return failure("network-timeout", message);
    }
    const reason = error instanceof Error ? error.message : "unknown reason";
    return failure("network-failed", `the request failed: ${reason.slice(0, 200)}`);
  }
}

/** Resolvers and transports of a host may not listen to the signal. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error("aborted"));
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => undefined);
  }
}

function failure<Code extends string>(code: Code, message: string): Failure<Code> {
  return { ok: false, code, message };
}
