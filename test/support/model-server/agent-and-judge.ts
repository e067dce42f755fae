import { chatCompletion } from "./chat-completions.ts";
import type { Reply, Script } from "./model-server.ts";
import type { ScriptedAnswer } from "./scripted-answer.ts";

type Request = Parameters<Script>[0];

interface Roles {
  /** What the agent answers to a request, after it selected the skill. */
  readonly agent: (text: string) => ScriptedAnswer | Reply | string;
  readonly judge?: (material: string) => ScriptedAnswer | Reply;
  /** Default: csv. */
  readonly skill?: string;
}

/** One service that is asked for both: the agent selects a skill and answers, the judge gives verdicts. */
export function agentAndJudge({ agent, judge, skill = "csv" }: Roles): Script {
  return (request) => {
    if (isJudged(request)) return reply(judge?.(contentOf(request, "user")) ?? {}, request);
    const isSelected = messagesOf(request).some(({ role }) => role === "assistant");
    if (!isSelected) return reply(call("select_skills", { skills: [{ name: skill }] }), request);
    const said = agent(contentOf(request, "user"));
    return reply(typeof said === "string" ? call("final_answer", { answer: said }) : said, request);
  };
}

export function verdict(passed: boolean, evidence: string): ScriptedAnswer {
  return call("give_verdict", { evidence, passed });
}

export function call(name: string, input: unknown): ScriptedAnswer {
  return { calls: [{ id: "call-1", name, input }] };
}

export function isJudged({ body }: Request): boolean {
  return JSON.stringify(body["tools"] ?? body["response_format"] ?? "").includes("give_verdict");
}

/** The first message of the role. */
export function contentOf(request: Request, wanted: string): string {
  return messagesOf(request).find(({ role }) => role === wanted)?.content ?? "";
}

function messagesOf({ body }: Request) {
  return (body["messages"] ?? []) as readonly {
    readonly role: string;
    readonly content: string | null;
  }[];
}

function reply(answer: ScriptedAnswer | Reply, request: Request): Reply {
  return "chunks" in answer ? answer : chatCompletion(answer)(request);
}
