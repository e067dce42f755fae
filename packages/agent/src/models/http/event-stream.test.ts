import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { EventStreamParser, type ServerEvent } from "./event-stream.ts";

function parse(...pieces: readonly string[]): ServerEvent[] {
  const parser = new EventStreamParser();
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

describe("EventStreamParser", () => {
  it("M-03 reads names, several lines of data, and skips comments and unknown fields", () => {
    const text = ": hello\nevent: a\ndata: 1\ndata:2\nid: 7\nretry: 5\n\n\n\ndata: b\n\n";
    expect(parse(text)).toEqual([
      { name: "a", data: "1\n2" },
      { name: "", data: "b" },
    ]);
  });

  it.each(["\n", "\r\n", "\r"])("M-03 takes %j as the end of a line", (end) => {
    expect(parse(`data: 1${end}${end}data: 2${end}${end}`)).toHaveLength(2);
  });

  it("M-03 a line end that is cut in two is one line end", () => {
    expect(parse("data: 1\r", "\n", "\r", "\n", "data: 2\r\n\r\n")).toEqual([
      { name: "", data: "1" },
      { name: "", data: "2" },
    ]);
    expect(parse("data: 1\r", "\n", "data: 2\n", "\n")).toEqual([{ name: "", data: "1\n2" }]);
  });

  it("M-03 gives the last event also without an empty line behind it", () => {
    expect(parse("data: 1\n\ndata: 2")).toEqual([
      { name: "", data: "1" },
      { name: "", data: "2" },
    ]);
  });

  it("M-03 keeps all but one space before the data, and data without a colon is empty", () => {
    expect(parse("data:  x\ndata\n\n")).toEqual([{ name: "", data: " x\n" }]);
  });

  it("M-03 gives the same events however the text is cut", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "",
        "data",
        ": comment",
        "event: x",
        "data: 数据 \u{1F600}",
        "\uFEFF",
        "id: 1",
      ),
      fc.string({ maxLength: 12 }).map((text) => `data:${text}`),
    );
    const lines = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(200), { maxLength: 20 }), (parts, places) => {
        const text = parts.map(([content, end]) => content + end).join("");
        const cuts = [0, ...places.map((place) => Math.min(place, text.length)), text.length].sort(
          (a, b) => a - b,
        );
        const pieces = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
        expect(parse(...pieces)).toEqual(parse(text));
        expect(parse(...text)).toEqual(parse(text));
      }),
      { numRuns: numRuns(500) },
    );
  });
});
