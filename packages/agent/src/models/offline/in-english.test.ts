import { describe, expect, it } from "vitest";
import { inEnglish, isGerman } from "./in-english.ts";

describe("inEnglish", () => {
  it.each([
    ["Vergleiche a.txt mit b.txt", "compare a.txt with b.txt"],
    ["Prüfe „und der.json“ gegen und.json", "check „und der.json“ against und.json"],
    ["Wie viele Kilometer sind 26,2 Meilen?", "how many kilometers are 26,2 miles?"],
    ["Summiere betrag nach land in daten/und.csv", "sum betrag by land in daten/und.csv"],
  ])("M-02 %j is understood by its common words; names stay", (request, english) => {
    expect(inEnglish(request)).toBe(english);
  });

  it.each(["compare a.txt with b.txt", "profile the file", "分析sales.csv", "", "MIT license"])(
    "M-02 %j is not in German",
    (request) => {
      expect(inEnglish(request)).toBeUndefined();
    },
  );

  it("M-02 tells the language of a longer text", () => {
    expect(isGerman("Prüft die Rechnung und sagt, ob sie mit der Bestellung stimmt.")).toBe(true);
    expect(isGerman("Checks the invoice and says whether it fits the order. ".repeat(5))).toBe(
      false,
    );
  });
});
