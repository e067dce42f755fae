import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelView } from "../model.ts";
import { decideOffline } from "./decide-offline.ts";
import { fillArguments } from "./fill-arguments.ts";
import { parseUsageParts } from "./parse-usage-parts.ts";
import { readRequest } from "./read-request.ts";

const OUTPUT_FLAGS = [
  "-o",
  "--out",
  "--output",
  "--output-file",
  "--outfile",
  "--out-dir",
  "--dest",
  "--destination",
  "--save",
  "--save-as",
  "--save-to",
  "--write-to",
  "--export",
];
const name = fc
  .tuple(fc.stringMatching(/^[a-z]{3,8}$/), fc.constantFrom("md", "csv", "json", "txt", "pdf"))
  .map(([stem, ending]) => `${stem}.${ending}`);
const names = fc.uniqueArray(name, { minLength: 3, maxLength: 3 });
const two = fc.constantFrom(
  "compare A with B",
  "compare A to B",
  "compare A and B",
  "diff A and B",
  "join A with B",
  "merge A and B",
  "validate A against B",
  "what changed from A to B",
  "what is the difference between A and B",
  "vergleiche A mit B",
  "prüfe A gegen B",
  "比较 A 和 B",
  "对比 A 与 B",
);
const one = fc.constantFrom(
  "check C",
  "summarize C",
  "read the numbers in C",
  "show C",
  "write a summary of the numbers in C",
  "write about what is in C",
  "prüfe C",
  "检查 C",
);
const between = fc.constantFrom(" and ", ", then ", "; ", " and then ", " und ", "，然后");
const request = fc
  .tuple(names, two, one, between, fc.boolean())
  .map(([[a = "", b = "", c = ""], first, second, and, isTurned]) => {
    const parts = isTurned ? [second, first] : [first, second];
    const places: Readonly<Record<string, string>> = { A: a, B: b, C: c };
    return { text: parts.join(and).replaceAll(/\b[ABC]\b/g, (at) => places[at] ?? ""), c };
  });
const usage = fc
  .tuple(
    fc.constantFrom(["<first file>", "<second file>"], ["<file>"], ["<file...>"], ["<a>", "<b>"]),
    fc.constantFrom(...OUTPUT_FLAGS),
    fc.constantFrom("<file>", "FILE", "<path>", "result.md", "<output>"),
    fc.boolean(),
  )
  .map(([places, flag, value, isOptional]) => ({
    flag,
    line: [...places, isOptional ? `[${flag} ${value}]` : `${flag} ${value}`].join(" "),
    tokens: [...places, ...(isOptional ? [`[${flag} ${value}]`] : [flag, value])],
  }));

describe("where something is written", () => {
  it("M-02 no option for an output gets a file that is only named", () => {
    fc.assert(
      fc.property(request, usage, ({ text }, { flag, tokens }) => {
        const { args } = fillArguments(parseUsageParts(tokens), readRequest(text));
        expect(args).not.toContain(flag);
      }),
    );
  });

  it("M-02 nor does a whole decision write over one", () => {
    fc.assert(
      fc.property(request, usage, ({ text }, { flag, line }) => {
        const skill = {
          name: "both",
          source: "project",
          text: `Compare, join, merge, check, validate, summarize files:\n\n    node scripts/x.mjs ${line}\n`,
          scripts: ["scripts/x.mjs"],
          files: ["scripts/x.mjs"],
        };
        const view: ModelView = {
          request: text,
          skills: [
            { name: "both", description: "Compares, joins and checks files.", source: "project" },
          ],
          omittedSkills: 0,
          active: [skill],
          steps: [],
          tools: [],
          mustAnswer: false,
        };
        const action = decideOffline(view);
        expect(action).not.toMatchObject({ args: expect.arrayContaining([flag]) });
      }),
    );
  });

  it("M-02 what the request says to write to is taken, unless it is read as well", () => {
    const said = fc.constantFrom(
      " and save it to C",
      " and write the result to C",
      " and save the result as C",
      ", save as C",
      " into C",
      " und schreibe das Ergebnis in C",
      "，保存到 C",
    );
    fc.assert(
      fc.property(names, said, fc.boolean(), ([a = "", b = "", c = ""], end, isRead) => {
        const target = isRead ? a : c;
        // German is read after its common words were put into English.
        const tail = end.replace("und schreibe das Ergebnis in", "and write the result in");
        const text = `compare ${a} with ${b}${tail.replace("C", target)}`;
        const parts = parseUsageParts(["<first file>", "<second file>", "[--out <file>]"]);
        const { args } = fillArguments(parts, readRequest(text));
        expect(args).toEqual(isRead ? [a, b] : [a, b, "--out", c]);
      }),
    );
  });
});
