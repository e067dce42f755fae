import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import {
  Command,
  END,
  interrupt,
  INTERRUPT,
  isInterrupted,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { openSkills } from "@skillwright/core";
import { toAiSdkTools } from "@skillwright/core/ai-sdk";
import { toLangChainTools } from "@skillwright/core/langchain";
import { openScripts, type OpenScriptsOptions } from "@skillwright/runtime";
import { generateText, jsonSchema, type ModelMessage, stepCountIs, type ToolSet } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CALL = { skill_name: "pdf", script_file: "merge.py", args: ["a.pdf", "b.pdf"] };

/** A host whose scripts run in a service of its own, which notes what it is asked to run. */
async function host(options: Partial<OpenScriptsOptions> = {}) {
  const ran: string[] = [];
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md":
      "---\nname: pdf\ndescription: Merges PDF files. Use for PDFs.\n---\n# PDF\n",
    "skills/pdf/scripts/merge.py": "print('merged')\n",
    "work/a.pdf": "a",
  });
  const executor: NonNullable<OpenScriptsOptions["executor"]> = {
    probe: () => Promise.resolve({ ok: true }),
    async run(request) {
      const args = "args" in request ? request.args : [];
      ran.push(args.join(" "));
      return {
        ok: true,
        exitCode: 0,
        signal: null,
        timedOut: false,
        canceled: false,
        truncated: false,
        stdout: `joined ${args.join(" and ")}`,
        stderr: "",
        durationMs: 1,
        sandbox: "code",
        digest: "",
        command: [],
        unenforced: [],
      };
    },
  };
  const scripts = await openScripts({
    cwd: join(folder, "work"),
    stateDirectory: join(folder, "state"),
    principal: "ada",
    executor,
    sandbox: "container",
    ...options,
  });
  if (!scripts.ok) throw new Error(scripts.message);
  onTestFinished(() => void scripts.close());
  const skills = await openSkills({ roots: [join(folder, "skills")] });
  const chat = skills.conversation({ scripts });
  return { ran, scripts, chat, script: join(folder, "skills/pdf/scripts/merge.py") };
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Calls the script until it has a result, then says what that was. */
function mergingModel() {
  return new MockLanguageModelV3({
    async doGenerate({ prompt }) {
      const last = prompt.at(-1);
      const isResult = last?.role === "tool";
      return {
        content: [
          isResult
            ? { type: "text", text: `Result: ${JSON.stringify(last.content)}` }
            : {
                type: "tool-call",
                toolCallId: "call-1",
                toolName: "run_skill_script",
                input: JSON.stringify(CALL),
              },
        ],
        finishReason: { unified: isResult ? "stop" : "tool-calls", raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
}

async function askAiSdk(given: Awaited<ReturnType<typeof host>>) {
  const { chat, scripts } = given;
  const tools: ToolSet = toAiSdkTools(chat.tools(), jsonSchema, { approvals: scripts });
  const settings = { model: mergingModel(), tools, stopWhen: stepCountIs(5) };
  const messages: ModelMessage[] = [{ role: "user", content: "Merge a and b." }];
  const first = await generateText({ ...settings, messages });
  const request = first.content.find((part) => part.type === "tool-approval-request");
  const answer = async (approved: boolean) =>
    generateText({
      ...settings,
      messages: [
        ...messages,
        ...first.response.messages,
        {
          role: "tool",
          content: [{ type: "tool-approval-response", approvalId: request!.approvalId, approved }],
        },
      ],
    });
  return { first, request, answer };
}

describe("H-02 P-02 approvals of the Vercel AI SDK", () => {
  it("H-02 P-02 a script stops as the SDK's own approval request and runs after a yes, once", async () => {
    const given = await host();
    const { request, answer } = await askAiSdk(given);
    expect(request).toMatchObject({ toolCall: { toolName: "run_skill_script", input: CALL } });
    expect(given.ran).toEqual([]);
    const second = await answer(true);
    expect(given.ran).toEqual(["a.pdf b.pdf"]);
    expect(second.text).toContain("joined a.pdf and b.pdf");
    // The answer counted once: the same call asks again.
    expect((await askAiSdk(given)).request).toBeDefined();
    expect(given.ran).toHaveLength(1);
  });

  it("H-02 P-02 after a no nothing runs", async () => {
    const given = await host();
    const { answer } = await askAiSdk(given);
    expect((await answer(false)).text).toContain("Result:");
    expect(given.ran).toEqual([]);
  });

  it("H-02 P-02 a yes does not count for a skill that has changed since", async () => {
    const given = await host();
    const { answer } = await askAiSdk(given);
    writeFileSync(given.script, "print('something else')\n");
    expect((await answer(true)).text).toContain("error-text");
    expect(given.ran).toEqual([]);
  });

  it("H-02 P-06 a yes of one user is none for another", async () => {
    const ada = await host();
    await askAiSdk(ada);
    const eve = await host({ principal: "eve" });
    const tools: ToolSet = toAiSdkTools(eve.chat.tools(), jsonSchema, { approvals: eve.scripts });
    const output: unknown = await tools["run_skill_script"]?.execute?.(CALL, {
      toolCallId: "call-1",
      messages: [],
    });
    expect(output).toMatchObject({ ok: false });
    expect([...ada.ran, ...eve.ran]).toEqual([]);
  });

  it("H-02 P-01 what policy allows is not asked about, and runs when the SDK says so", async () => {
    const given = await host({ policy: { allow: ["Read", "run_script"], ask: [] } });
    const { first, request } = await askAiSdk(given);
    expect(request).toBeUndefined();
    expect(first.text).toContain("joined a.pdf and b.pdf");
    expect(given.ran).toEqual(["a.pdf b.pdf"]);
  });
});

describe("H-02 P-02 approvals of LangGraph", () => {
  it("H-02 P-02 interrupt() of an approver passes through the tool node, and the graph resumes", async () => {
    const asked: unknown[] = [];
    const given = await host({
      approve: ({ tool: name, skill, script }) => {
        asked.push(script?.path);
        return interrupt({ tool: name, skill: skill?.name, script: script?.path }) === "yes";
      },
    });
    const tools = toLangChainTools<StructuredToolInterface>(given.chat.tools(), tool);
    const model = ({ messages }: { messages: BaseMessage[] }) => {
      const last = messages.at(-1);
      const call = {
        id: "call-1",
        name: "run_skill_script",
        args: CALL,
        type: "tool_call" as const,
      };
      return {
        messages: [
          last instanceof HumanMessage
            ? new AIMessage({ content: "", tool_calls: [call] })
            : new AIMessage(`Result: ${JSON.stringify(last?.content)}`),
        ],
      };
    };
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", model)
      .addNode("tools", new ToolNode(tools))
      .addEdge(START, "model")
      .addConditionalEdges("model", ({ messages }) => {
        const last = messages.at(-1);
        return last instanceof AIMessage && (last.tool_calls?.length ?? 0) > 0 ? "tools" : END;
      })
      .addEdge("tools", "model")
      .compile({ checkpointer: new MemorySaver() });
    const thread = (id: string) => ({ configurable: { thread_id: id } });
    const start = { messages: [new HumanMessage("Merge a and b.")] };

    const stopped = await graph.invoke(start, thread("1"));
    expect(isInterrupted(stopped) && stopped[INTERRUPT]).toMatchObject([
      { value: { tool: "run_script", skill: "pdf", script: "scripts/merge.py" } },
    ]);
    expect([given.ran, asked.length]).toEqual([[], 1]);
    const resumed = await graph.invoke(new Command({ resume: "yes" }), thread("1"));
    expect(resumed.messages.at(-1)?.content).toBe('Result: "joined a.pdf and b.pdf"');
    expect(given.ran).toEqual(["a.pdf b.pdf"]);

    await graph.invoke(start, thread("2"));
    const refused = await graph.invoke(new Command({ resume: "no" }), thread("2"));
    expect(refused.messages.at(-1)?.content).toContain("was not approved");
    expect(given.ran).toHaveLength(1);
  });
});
