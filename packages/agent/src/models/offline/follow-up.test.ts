import { describe, expect, it } from "vitest";
import { wholeRequest } from "./follow-up.ts";
import type { ModelView } from "../model.ts";

const after = (request: string, ...before: string[]) => {
  const view: ModelView = {
    request,
    history: before.map((said, i) => ({ runId: `${i}`, request: said, answer: "" })),
    skills: [],
    omittedSkills: 0,
    active: [],
    steps: [],
    tools: [],
    mustAnswer: false,
  };
  return wholeRequest(view);
};

describe("wholeRequest", () => {
  const total = "total amount by city in a.csv";

  it.each([
    ["what about b.csv?", "total amount by city in b.csv"],
    ["and b.csv", "total amount by city in b.csv"],
    ["How about b.csv instead?", "total amount by city in b.csv"],
    ["the same for b.csv please", "total amount by city in b.csv"],
    ["and by customer", "total amount by customer in a.csv"],
    ["now per customer?", "total amount per customer in a.csv"],
    ["und nach customer", "total amount by customer in a.csv"],
    ["and only where amount > 3", "total amount by city in a.csv where amount > 3"],
    ['what about "my b.csv"?', 'total amount by city in "my b.csv"'],
  ])("C-01 %j keeps what was asked before", (request, whole) => {
    expect(after(request, total)).toBe(whole);
  });

  it("C-01 one goes on from another", () => {
    expect(after("and by city", "total amount in a.csv", "what about b.csv?")).toBe(
      "total amount in b.csv by city",
    );
    expect(after("and where x = 1", `${total} where x = 2`)).toBe(`${total} where x = 1`);
  });

  it.each([
    "filter it by country = DE",
    "compare a.csv with b.csv",
    "and write a report",
    "thanks",
  ])("C-01 %j is a request of its own", (request) => {
    expect(after(request, total)).toBeUndefined();
  });

  it("C-01 nothing to go on from, or other files than before", () => {
    expect(after("and by customer")).toBeUndefined();
    expect(after("what about c.csv?", "compare a.csv with b.csv")).toBeUndefined();
    expect(after("and by customer", "convert 5 km to miles")).toBeUndefined();
  });
});
