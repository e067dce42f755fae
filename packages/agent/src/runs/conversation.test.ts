import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { action, agentWorld, callingModel } from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { type ContextEntry } from "../context/index.ts";
import {
  createMemoryStore,
  createSequenceModel,
  type Model,
  type ModelMessage,
  type ModelRequest,
  resumeAgent,
  summarizeRun,
} from "../index.ts";
import { type RunConversation, conversationAfter, type ModelCall } from "../internal/index.ts";
import { boundConversation, historyChunks, recordedBytes, replayRun, turnOf } from "./index.ts";

const FILES = {
  "project/pdf/SKILL.md": skillText("pdf", "Joins PDF files. Use to join them."),
  "project/pdf/references/forms.md": "# Forms\nFill them.\n",
  "project/notes/SKILL.md": skillText("notes", "Takes notes. Use to take them."),
  "project/secret/SKILL.md": skillText(
    "secret",
    "For people. Use by name.",
    "disable-model-invocation: true\n",
  ),
};
const NEW: RunConversation = { id: "", exchanges: [], skills: [] };
const select = (name: string) => ({ action: "select_skills", skills: [{ name }] });
const answer = (text: string) => ({ action: "final_answer", answer: text });
const names = fc.string({ unit: "binary", maxLength: 300 });
const texts = fc.oneof(
  names,
  names.map((text) => text.repeat(100)),
);
const exchanges = fc.array(fc.record({ runId: names, request: texts, answer: texts }));

describe("a conversation is a chain of runs", () => {
  it("A-05 the next run begins with what was said and with the skills that were active", async () => {
    const { run } = await agentWorld({ files: FILES });
    const first = await run([select("pdf"), answer("one")], { request: "a", conversation: NEW });
    const { conversation, runId } = first.result;
    expect(conversation).toMatchObject({
      id: runId,
      previous: runId,
      exchanges: [{ runId, request: "a", answer: "one" }],
      skills: ["pdf@project"],
    });
    expect(conversationAfter(first.records)).toEqual(conversation);
    const second = await run([answer("two")], { request: "b", conversation });
    expect(second.of("run-start")[0]?.conversation).toMatchObject({ hasMessages: true });
    expect(second.of("skill-activate")).toMatchObject([{ name: "pdf", carried: true }]);
    expect(second.requests[0]?.view).toMatchObject({
      history: [{ request: "a", answer: "one" }],
      active: [{ name: "pdf", carried: true }],
    });
    expect(second.result.conversation).toMatchObject({
      id: runId,
      previous: second.result.runId,
      exchanges: [{ answer: "one" }, { answer: "two" }],
      skills: ["pdf@project"],
    });
    expect(summarizeRun(second.records).conversation).toEqual({ id: runId, turn: 2 });
    expect(await replayRun(second.records)).toMatchObject({ ok: true, hasEnded: true });
  });

  const native = (...turns: Parameters<typeof callingModel>[0]) => callingModel(turns);
  const loadForms = action("load_resource", { skill: "pdf", path: "references/forms.md" });
  it.each([
    [
      "text",
      () => [
        native(action("select_skills", { skills: "pdf" }), loadForms, "one"),
        native("two"),
        native("three"),
      ],
    ],
    [
      "calls",
      () => [
        native(
          action("select_skills", { skills: "pdf" }),
          action("final_answer", { answer: "one" }),
        ),
        native(loadForms, "two"),
        native("three"),
      ],
    ],
    [
      "JSON",
      () =>
        [select("pdf"), answer("two"), answer("three")].map((one) =>
          createSequenceModel(one.action === "select_skills" ? [one, answer("one")] : [one]),
        ),
    ],
  ])("A-05 A-09 the prompt only grows, from run to run: %s", async (_, models) => {
    const { run } = await agentWorld({ files: FILES });
    let conversation = NEW;
    let before: readonly ModelMessage[] = [];
    for (const [i, model] of models().entries()) {
      const { requests, result, records } = await run(model, { request: `${i}`, conversation });
      for (const { messages } of requests) {
        expect(messages.slice(0, before.length)).toEqual(before);
        before = messages;
      }
      // The answer is the next message.
      const said = records.findLast(({ event }) => event === "model-response")?.data;
      const { text, calls } = said as { text: string; calls: readonly ModelCall[] };
      const last = {
        role: "assistant" as const,
        content: text,
        ...(calls.length > 0 && { calls }),
      };
      before = [...before, last];
      expect(requests[0]?.system).toBe(requests.at(-1)?.system);
      const texts = before.map(({ content }) => content);
      expect(texts.filter((content) => content.includes("# Goal of pdf"))).toHaveLength(1);
      expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
      ({ conversation } = result);
    }
    expect(conversation.exchanges.map((one) => one.answer)).toEqual(["one", "two", "three"]);
  });

  it("A-05 P-04 in this process the next run knows exact texts; from the record it does not", async () => {
    const { run } = await agentWorld({ files: FILES });
    const secret = "password=hunter2";
    const first = await run([answer("one")], { request: `use ${secret}`, conversation: NEW });
    const exact = await run([answer("two")], { conversation: first.result.conversation });
    expect(exact.requests[0]?.messages[0]?.content).toBe(`use ${secret}`);
    expect(JSON.stringify(exact.records)).not.toContain("hunter2");
    const recorded = await run([answer("two")], { conversation: conversationAfter(first.records) });
    expect(recorded.requests[0]?.messages[0]?.content).toBe("use password=[redacted]");
  });

  it("A-05 A-12 the new text of a skill that changed replaces the old one, and the record says so", async () => {
    const { run, folder, skills } = await agentWorld({ files: FILES });
    const file = join(folder, "project/pdf/SKILL.md");
    const old = skillText("pdf", "Joins PDF files. Use to join them.");
    const versions = [
      [`${skillText("pdf", undefined, "version: 2\n")}Mind the gap.\n`, true],
      [`${skillText("pdf", undefined, "version: 2\n")}Mind the gap.\n`, false],
      [old, true],
      [old, false],
    ] as const;
    let { result, requests } = await run([select("pdf"), answer("one")], { conversation: NEW });
    for (const [text, isChanged] of versions) {
      const before = requests.at(-1)?.messages ?? [];
      writeFileSync(file, text);
      await skills.refresh();
      const next = await run([answer("next")], { conversation: result.conversation });
      const sent = next.requests[0]?.messages ?? [];
      const isBody = ({ content }: ModelMessage) => content.includes("# Goal of pdf");
      expect(sent.filter(isBody)).toHaveLength(1);
      expect(sent.find(isBody)?.content.includes("Mind the gap.")).toBe(text !== old);
      // Everything else stays where it was.
      const others = (messages: readonly ModelMessage[]) =>
        messages.map((one) => (isBody(one) ? "body" : one));
      expect(others(sent).slice(0, before.length)).toEqual(others(before));
      const [activated] = next.of("skill-activate");
      expect(activated).toMatchObject({ name: "pdf", carried: true });
      expect(activated?.changed).toBe(isChanged ? true : undefined);
      expect(await replayRun(next.records)).toMatchObject({ ok: true });
      ({ result, requests } = next);
    }
  });

  it.each([
    ["the record of the run before it", true],
    ["its exchanges, where that record is gone", false],
  ])("A-05 P-03 cut off at its beginning, a run has its history from %s", async (_, isThere) => {
    const { run, skills } = await agentWorld({ files: FILES });
    const store = createMemoryStore();
    const options = { store, request: "a", conversation: NEW };
    const first = await run([select("pdf"), answer("one")], options);
    const { conversation } = first.result;
    const whole = await run([answer("two")], { request: "b", conversation });
    for (let count = 1; count <= whole.names.indexOf("model-request"); count++) {
      const place = isThere ? store : createMemoryStore();
      const log = await place.create(`run-${count}`);
      const events = whole.records.slice(0, count).map(({ event, data }) => ({ event, data }));
      await log.append(events, { expectedSequence: 0 });
      const requests: ModelRequest[] = [];
      const model = createSequenceModel([answer("two")]);
      const watched: Model = {
        ...model,
        decide(request, context) {
          requests.push(request);
          return model.decide(request, context);
        },
      };
      const { runId } = log;
      const resumed = await resumeAgent({ runId, store: place, skills, model: watched });
      expect(resumed).toMatchObject({ ok: true, status: "answered" });
      const sent = requests[0]?.messages ?? [];
      const isCut = count === whole.names.indexOf("run-start") + 1;
      const exchanges = [
        { role: "user", content: "a" },
        { role: "assistant", content: "one" },
        { role: "user", content: "b" },
      ];
      const expected = isCut && !isThere ? exchanges : whole.requests[0]?.messages;
      expect(sent.slice(0, expected?.length)).toEqual(expected);
      expect(await replayRun((await place.read(runId)) ?? [])).toMatchObject({ ok: true });
    }
  });

  it("A-05 without messages the exchanges stand in", async () => {
    const { run } = await agentWorld({ files: FILES });
    const first = await run([select("pdf"), answer("one")], { request: "a", conversation: NEW });
    const { messages: _, ...conversation } = first.result.conversation;
    const { requests, names: events } = await run([answer("two")], { request: "b", conversation });
    expect(requests[0]?.messages.slice(0, 3)).toEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: "one" },
      { role: "user", content: "b" },
    ]);
    expect(JSON.stringify(requests[0]?.messages)).toContain("# Goal of pdf");
    expect(events).not.toContain("history-add");
  });

  it("A-09 a long history is recorded in parts, and fits into a small window", async () => {
    const { run } = await agentWorld({ files: FILES });
    const messages = Array.from({ length: 60 }, (_, i): ContextEntry[] => [
      { kind: "history", message: { role: "user", content: `request ${i} ${"字".repeat(3000)}` } },
      { kind: "history", message: { role: "assistant", content: `answer ${i}` } },
    ]).flat();
    const conversation = { id: "run-0", exchanges: [], skills: [], messages };
    const { of, requests, records } = await run(
      { ...callingModel(["done"]), contextTokens: 30_000 },
      { request: "go", conversation },
    );
    const chunks = of("history-add");
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.flatMap(({ entries }) => entries)).toEqual(messages);
    for (const chunk of chunks) expect(recordedBytes(chunk)).toBeLessThan(130_000);
    const sent = requests[0]?.messages ?? [];
    expect(sent[0]?.content).toContain("was dropped to make room");
    expect(sent.at(-1)?.content).toBe("go");
    expect(sent.length).toBeLessThan(messages.length);
    expect(await replayRun(records)).toMatchObject({ ok: true });
  });

  it("A-09 of a history without end the newest messages are kept", () => {
    const content = "x".repeat(90_000);
    const messages = Array.from({ length: 100 }, (_, i): ContextEntry => ({
      kind: "history",
      message: { role: "user", content: `${i} ${content}` },
    }));
    const kept = historyChunks({ ...NEW, messages }).flatMap(({ entries }) => entries);
    expect(kept.at(-1)).toBe(messages.at(-1));
    expect(recordedBytes(kept)).toBeLessThan(4_100_000);
    expect(kept).toEqual(messages.slice(-kept.length));
  });

  it("A-05 a skill that is gone, not trusted or apart by now is dropped, and that is said", async () => {
    const { run, skills } = await agentWorld({ files: FILES });
    const conversation = { ...NEW, id: "x", skills: ["gone@project", "pdf@user", "notes@project"] };
    const { of, requests, records } = await run([answer("done")], { conversation });
    expect(of("skill-drop").map(({ name }) => name)).toEqual(["gone", "pdf"]);
    expect(of("skill-activate").map(({ name }) => name)).toEqual(["notes"]);
    expect(JSON.stringify(requests)).toContain("The skill gone can no longer be used");
    expect(conversationAfter(records).skills).toEqual(["notes@project"]);
    expect(skills.all.length).toBe(3);
  });

  it("A-08 a skill that only people can call stays with the conversation it was called in", async () => {
    const { run } = await agentWorld({ files: FILES });
    const first = await run([answer("one")], { request: "/secret x", conversation: NEW });
    const conversation = conversationAfter(first.records);
    const { of } = await run([answer("two")], { conversation });
    expect(of("skill-activate")).toMatchObject([{ name: "secret", by: "person", carried: true }]);
  });

  it("A-09 what a run came to that was not answered is said too", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records } = await run([answer("x")], { request: "/none x" });
    const { exchanges: said, skills } = conversationAfter(records);
    expect(said[0]?.answer).toContain("(error: there is no skill");
    expect(skills).toEqual([]);
    expect(conversationAfter([])).toEqual(NEW);
  });
});

describe("a long conversation", () => {
  it("A-09 fits into a record, loses only its oldest exchanges, and counts them", () => {
    fc.assert(
      fc.property(exchanges, fc.nat(5), (said, omitted) => {
        const bound = boundConversation({ ...NEW, exchanges: said, omitted });
        expect(recordedBytes(bound.exchanges)).toBeLessThanOrEqual(100_100);
        expect(turnOf(bound)).toBe(said.length + omitted + 1);
        const { length } = bound.exchanges;
        expect(bound.exchanges.map(({ runId }) => runId)).toEqual(
          said.slice(said.length - length).map(({ runId }) => runId.slice(0, 200)),
        );
        expect(length).toBeGreaterThanOrEqual(Math.min(1, said.length));
        expect(boundConversation(bound)).toEqual(bound);
      }),
    );
  });

  it("A-09 its record is whole, and what a skill says survives it", async () => {
    const { run } = await agentWorld({ files: FILES });
    const long = Array.from({ length: 300 }, (_, i) => ({
      runId: `run-${i}`,
      request: `request ${i} ${"字".repeat(2000)}`,
      answer: `answer ${i} ${"\u0007".repeat(2000)}`,
    }));
    const conversation = { id: "run-0", exchanges: long, skills: ["pdf@project"] };
    const { requests, of, records, result } = await run([answer("done")], { conversation });
    expect(result.status).toBe("answered");
    const kept = of("run-start")[0]?.conversation;
    expect(kept?.exchanges.at(-1)?.runId).toBe("run-299");
    expect((kept?.omitted ?? 0) + (kept?.exchanges.length ?? 0)).toBe(300);
    expect(requests[0]?.messages[0]?.content).toContain(`${kept?.omitted} earlier exchanges`);
    expect(JSON.stringify(requests[0]?.messages)).toContain("# Goal of pdf");
    expect(JSON.stringify(records)).not.toContain("[truncated");
    expect(await replayRun(records)).toMatchObject({ ok: true });
  });
});
