import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { action, agentWorld, callingModel, modelOf } from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import type { Model, ModelContext, RunEvent } from "../index.ts";
import type { TextDelta } from "../internal/index.ts";
import { AnswerStream } from "./index.ts";

const FILES = {
  "project/apart/SKILL.md": skillText("apart", undefined, "run-mode: subagent\n"),
  "project/pdf/SKILL.md": skillText("pdf"),
};

/** The same model, streaming what it says in pieces of so many characters. */
function streaming(model: Model, size: number): Model {
  return {
    ...model,
    async decide(request, context: ModelContext = {}) {
      const response = await model.decide(request);
      if (!response.ok) return response;
      const { text, calls } = response.message;
      for (const piece of pieces(text, size)) context.onText?.(piece);
      for (const [index, { name, input }] of calls.entries()) {
        for (const piece of pieces(JSON.stringify(input), size)) {
          context.onCallText?.({ index, name, text: piece });
        }
      }
      return response;
    },
  };
}

function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}

async function watch(model: Model, request = "go") {
  const { run } = await agentWorld({ files: FILES });
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => void events.push(event);
  const { result, records } = await run(model, { onEvent, request });
  const deltas = events.filter((event): event is TextDelta => event.event === "text-delta");
  expect(JSON.stringify(records)).not.toContain("text-delta");
  // What streams comes between the request and the response of its turn.
  for (const delta of deltas) {
    const before = events
      .slice(0, events.indexOf(delta))
      .findLast(({ event }) => event !== "text-delta");
    expect(before?.event).toBe("model-request");
  }
  const text = (runId = result.runId) =>
    deltas
      .filter(({ data }) => data.runId === runId)
      .map(({ data }) => data.text)
      .join("");
  return { result, deltas, text };
}

const json = (entries: readonly object[], size: number) =>
  streaming(
    modelOf((_, turn) => ({ text: JSON.stringify(entries[turn - 1]), calls: [] }), {
      protocol: "json",
    }),
    size,
  );

describe("an answer while it streams", () => {
  it.each([1, 3, 1000])("A-01 plain text of a native model, in pieces of %i", async (size) => {
    const model = callingModel([action("select_skills", { skills: "pdf" }), 'It is "𝄞".\n']);
    const { deltas, text, result } = await watch(streaming(model, size));
    expect(text()).toBe('It is "𝄞".\n');
    expect(result.answer).toBe('It is "𝄞".');
    expect(new Set(deltas.map(({ data }) => data.turn))).toEqual(new Set([2]));
  });

  it.each([1, 2, 7, 1000])(
    "A-01 from the arguments of final_answer, in pieces of %i",
    async (size) => {
      const answer = 'Line 1\n"quoted" \\ 𝄞 \u0007 end';
      const model = callingModel([action("final_answer", { answer })]);
      const { text, result, deltas } = await watch(streaming(model, size));
      expect(text()).toBe(answer);
      expect(result.answer).toBe(answer);
      for (const { data } of deltas) expect(data.text).not.toBe("");
      expect(deltas.length).toBeGreaterThan(size === 1 ? 10 : 0);
    },
  );

  it.each([1, 5, 1000])(
    "A-01 from a JSON decision, in pieces of %i; others show nothing",
    async (size) => {
      const model = json(
        [
          { action: "select_skills", skills: ["pdf"] },
          { action: "final_answer", answer: "It is 42.\n" },
        ],
        size,
      );
      const { text, deltas } = await watch(model);
      expect(text()).toBe("It is 42.\n");
      expect(deltas.every(({ data }) => data.turn === 2)).toBe(true);
    },
  );

  it("A-01 A-07 of a child run too, under its own id", async () => {
    const model = streaming(
      callingModel([action("select_skills", { skills: "apart" }), "the part", "the whole"]),
      2,
    );
    const { text, result } = await watch(model);
    expect(text()).toBe("the whole");
    expect(text(`${result.runId}.1`)).toBe("the part");
  });

  it("A-01 however it is cut, what is shown is a beginning of the answer, and in the end all of it", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    const answer = fc
      .string({ unit: "binary" })
      .map((text) => text.replaceAll(/[\uD800-\uDFFF]/g, "𝄞"));
    fc.assert(
      fc.property(answer, sizes, fc.boolean(), (said, cuts, isCall) => {
        let shown = "";
        const stream = new AnswerStream(isCall ? "tools" : "json", (text) => (shown += text));
        const whole = JSON.stringify(
          isCall ? { answer: said } : { action: "final_answer", answer: said },
        );
        for (let at = 0, i = 0; at < whole.length; i++) {
          const size = cuts[i % cuts.length] ?? 1;
          const text = whole.slice(at, at + size);
          if (isCall) stream.addCall({ index: 0, name: "final_answer", text });
          else stream.addText(text);
          expect(said.startsWith(shown)).toBe(true);
          at += size;
        }
        expect(shown).toBe(said);
      }),
    );
  });

  it("A-01 arguments of other calls are never shown", () => {
    const shown: string[] = [];
    const stream = new AnswerStream("tools", (text) => shown.push(text));
    stream.addCall({ index: 0, name: "write_file", text: '{"answer":"x","text":"y"}' });
    stream.addCall({ index: 1, name: "final_answer", text: '{"note":"a","answer":"b"}' });
    expect(shown).toEqual([]);
  });
});
