import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContextEntry, fitEntries } from "./index.ts";

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");
const request: ContextEntry = { message: { role: "user", content: "do it" }, kind: "request" };
const decision = (id: string, content = ""): ContextEntry => ({
  message: { role: "assistant", content, calls: [{ id, name: "read_file", input: { path: id } }] },
  kind: "decision",
});
const observation = (callId: string, content: string): ContextEntry => ({
  message: { role: "observation", content, callId },
  kind: "observation",
});
const skill = (id: string, content: string): ContextEntry => ({
  message: { role: "user", content },
  kind: "skill",
  skill: id,
});

const ENTRIES = [
  request,
  decision("1"),
  skill("pdf", words(300, "steps")),
  decision("2"),
  observation("2", words(500, "old")),
  decision("3"),
  observation("3", words(500, "newer")),
  decision("4"),
  observation("4", words(200, "last")),
];
const whole = fitEntries(ENTRIES, 1e9).tokens;

describe("fitEntries", () => {
  it("A-09 leaves everything as it is while there is room", () => {
    expect(fitEntries(ENTRIES, whole)).toEqual({
      entries: ENTRIES,
      tokens: whole,
      dropped: 0,
      droppedSkills: [],
    });
  });

  it("A-09 shortens the oldest result first, then the next, and keeps the skill", () => {
    const cut = (room: number) =>
      fitEntries(ENTRIES, room).entries.map(({ message }) => message.content.includes("[…"));
    const none = ENTRIES.map(() => false);
    expect(cut(whole - 1)).toEqual(none.with(4, true));
    expect(cut(whole - 600)).toEqual(none.with(4, true).with(6, true));
  });

  it("A-09 results of the last turn share the room, so that each is seen", () => {
    const turn = [
      request,
      decision("1"),
      observation("1", "short"),
      observation("1", words(2000, "a")),
      observation("1", words(2000, "b")),
    ];
    const { entries, tokens } = fitEntries(turn, 1500);
    expect(tokens).toBeLessThanOrEqual(1500);
    expect(entries[2]).toBe(turn[2]);
    expect(entries[3]?.message.content).toMatch(/^a a a a.*cut to make room/s);
    expect(entries[4]?.message.content).toMatch(/^b b b b.*cut to make room/s);
  });

  it("A-09 cuts a skill only when nothing else helps, and says which", () => {
    const { entries, droppedSkills, dropped } = fitEntries(ENTRIES, 420);
    expect(entries[2]?.message.content).toMatch(/^steps steps.*Read the rest in ranges/s);
    expect(droppedSkills).toEqual(["pdf"]);
    expect(dropped).toBeGreaterThan(2);
  });

  it("A-09 cuts even the last observation when it does not fit by itself", () => {
    const long = [request, decision("1"), observation("1", words(20_000))];
    const { entries, tokens } = fitEntries(long, 2000);
    expect(tokens).toBeLessThanOrEqual(2000);
    expect(entries.at(-1)?.message.content).toMatch(
      /^word word.*cut to make room: only the first \d+ of 99999 characters are shown/s,
    );
  });

  it("A-09 says how many lines are left of a result that claims to be whole", () => {
    const lines = Array.from({ length: 847 }, (_, i) => `line ${i + 1} of this file`);
    const text = `lines 1-847 of 847\n${lines.join("\n")}`;
    const { entries } = fitEntries([request, decision("1"), observation("1", text)], 1000);
    const content = entries.at(-1)?.message.content ?? "";
    const shown = content.split("\n").length - 1;
    expect(shown).toBeLessThan(848);
    expect(content.split("\n").at(-1)).toContain(`only the first ${shown} of 848 lines are shown`);
  });

  it("A-09 every call keeps its id and its result, whatever is dropped", () => {
    const entry = fc.nat(3).chain((kind) =>
      fc.nat(400).map((count) => {
        const text = words(count);
        if (kind === 0) return [decision("d", text)];
        if (kind === 1) return [skill(`s${count}`, text)];
        return [decision("c", text), observation("c", text)];
      }),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.nat(3000), (parts, room) => {
        const entries = [request, ...parts.flat()];
        const fitted = fitEntries(entries, room);
        expect(fitted.entries.map(idOf)).toEqual(entries.map(idOf));
        expect(fitted.entries[0]).toBe(request);
        expect(fitted.tokens).toBeLessThanOrEqual(fitEntries(entries, 1e9).tokens);
      }),
    );
  });
});

function idOf({ message, skill: id }: ContextEntry): unknown {
  if (message.role === "observation") return message.callId;
  return message.role === "assistant" ? message.calls?.map((call) => [call.id, call.name]) : id;
}

describe("what was said before", () => {
  const exchange = (word: string): ContextEntry[] => [
    { message: { role: "user", content: words(50, word) }, kind: "history" },
    { message: { role: "assistant", content: words(50, word) }, kind: "history" },
  ];
  const long = ["one", "two", "three"].flatMap(exchange);
  const all = [...long, ...ENTRIES];
  const tokens = fitEntries(all, 1e9).tokens;

  it("A-09 goes first, the oldest exchange as a whole, with one note in its place", () => {
    const { entries, dropped, droppedSkills } = fitEntries(all, tokens - 1);
    expect(dropped).toBe(2);
    expect(droppedSkills).toEqual([]);
    expect(entries.map(({ message }) => message.content.split(" ")[0]).slice(0, 4)).toEqual([
      "[The",
      "two",
      "two",
      "three",
    ]);
    expect(entries.slice(5)).toEqual(ENTRIES);
  });

  it("A-09 what is left fits, and the request and the last message stay", () => {
    fc.assert(
      fc.property(fc.integer({ min: 700, max: tokens }), (room) => {
        const fitted = fitEntries(all, room);
        expect(fitted.tokens).toBeLessThanOrEqual(room);
        expect(fitted.entries).toContainEqual(request);
        const [first] = fitted.entries;
        expect(first?.message.role).toBe("user");
      }),
    );
  });
});
