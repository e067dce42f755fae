import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  anthropic,
  fromAiSdk,
  type Model,
  type ModelRequest,
  type ModelResponse,
  openAiCompatible,
} from "../../../packages/agent/src/index.ts";
import type { ModelProtocol } from "../../../packages/agent/src/internal/index.ts";
import { chatCompletion } from "../../support/model-server/chat-completions.ts";
import { message } from "../../support/model-server/messages.ts";
import type { ModelServer, Script } from "../../support/model-server/model-server.ts";
import type { ScriptedAnswer } from "../../support/model-server/scripted-answer.ts";

type Body = Readonly<Record<string, unknown>>;

/** One dialect, spoken by our adapter and by that of the AI SDK. */
interface Dialect {
  readonly name: string;
  readonly protocols: readonly ModelProtocol[];
  readonly ours: (url: string, stream: boolean, protocol: ModelProtocol) => Model;
  readonly theirs: (url: string, protocol: ModelProtocol) => Model;
  readonly answer: (answer: ScriptedAnswer, size: number) => Script;
  /** What a body means to the service, without what one of us adds on purpose. */
  readonly meaning: (body: Body) => unknown;
}

const KEY = "sk-test-0123456789";
const common = { model: "m", apiKey: KEY, contextTokens: 8000 };

export const dialects: readonly Dialect[] = [
  {
    name: "chat completions",
    protocols: ["tools", "json"],
    ours: (url, stream, protocol) =>
      openAiCompatible({
        ...common,
        baseUrl: `${url}/v1`,
        stream,
        structured: protocol === "tools" ? "tools" : "json_schema",
      }),
    theirs: (url, protocol) => {
      const provider = createOpenAICompatible({
        name: "test",
        baseURL: `${url}/v1`,
        apiKey: KEY,
        includeUsage: true,
        supportsStructuredOutputs: true,
      });
      return fromAiSdk(provider("m"), { contextTokens: 8000, protocol });
    },
    answer: (answer, size) => chatCompletion(answer, { size }),
    meaning: chatMeaning,
  },
  {
    name: "Messages",
    protocols: ["tools"],
    ours: (url, stream) => anthropic({ ...common, baseUrl: `${url}/v1`, stream }),
    theirs: (url, protocol) => {
      const provider = createAnthropic({ baseURL: `${url}/v1`, apiKey: KEY });
      return fromAiSdk(provider("m"), { contextTokens: 8000, protocol });
    },
    answer: (answer, size) => message(answer, { size }),
    meaning: messagesMeaning,
  },
];

interface Compared {
  readonly responses: readonly unknown[];
  readonly meanings: readonly unknown[];
  readonly headers: readonly unknown[];
}

/** Asks both the same, in turn, on the same server. */
export async function compare(
  server: ModelServer,
  dialect: Dialect,
  {
    request,
    stream,
    protocol,
  }: { request: ModelRequest; stream: boolean; protocol: ModelProtocol },
): Promise<Compared> {
  const models = [dialect.ours(server.url, stream, protocol), dialect.theirs(server.url, protocol)];
  const responses: unknown[] = [];
  const start = server.requests.length;
  for (const model of models) {
    const texts: string[] = [];
    const context = stream ? { onText: (text: string) => void texts.push(text) } : {};
    const response = await model.decide(request, context);
    responses.push({ ...result(response), streamed: texts.join("") });
  }
  const sent = server.requests.slice(start);
  return {
    responses,
    meanings: sent.map(({ body }) => dialect.meaning(body)),
    headers: sent.map(({ path, headers }) => [
      path,
      headers.authorization,
      headers["x-api-key"],
      headers["anthropic-version"],
    ]),
  };
}

/** Of a failure, what the loop acts on: the words may differ. */
function result(response: ModelResponse) {
  const { latencyMs: _, ...rest } = response;
  if (rest.ok) {
    // Each keeps reasoning in its own shape.
    const { reasoning, ...message } = rest.message;
    return { ...rest, message, hasReasoning: reasoning !== undefined };
  }
  const { code, retryable, retryAfterMs, status } = rest.error;
  return { ok: false, code, retryable, retryAfterMs, status };
}

/** They stream always, we as told. */
function chatMeaning(body: Body): unknown {
  const { stream: _, stream_options: __, messages, ...rest } = body;
  const format = rest["response_format"] as { json_schema?: { strict?: boolean } } | undefined;
  if (format?.json_schema) delete format.json_schema.strict;
  return {
    ...rest,
    messages: (messages as Body[]).map((one) => ({ ...one, content: one["content"] ?? "" })),
  };
}

function messagesMeaning(body: Body): unknown {
  const { stream: _, system, tools, messages, ...rest } = body;
  const unmarked = (blocks: unknown) =>
    ((blocks ?? []) as Body[]).map((block) => {
      const { is_error, content, ...plain } = without(block, "cache_control") as Body;
      const isTold = is_error === true && typeof content === "string";
      return {
        ...plain,
        ...(is_error !== undefined && { is_error }),
        // They are told in the text as well: not every provider of theirs has a field for it.
        ...(content !== undefined && {
          content: isTold ? content.replace(/^Error: /, "") : content,
        }),
      };
    });
  return {
    ...rest,
    // They ask for pieces of input that were not checked; we need the whole anyway.
    tools: ((tools ?? []) as Body[]).map((tool) => without(tool, "eager_input_streaming")),
    system: unmarked(system),
    messages: (messages as Body[]).map((one) => ({ ...one, content: unmarked(one["content"]) })),
  };
}

function without(value: Body, name: string): unknown {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
