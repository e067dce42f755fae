import { describe, expect, it } from "vitest";
import { sayIn } from "./answers.ts";
import { planUpdate } from "./plan-update.ts";

const say = sayIn(false);

describe("planUpdate", () => {
  it("A-10 drops the step of work when nothing was found to do it with", () => {
    const update = planUpdate("a poem", { isFirst: false, phase: "answer", isIdle: true }, say);
    expect(update).toEqual({
      patch: {
        update: [
          { id: "find", status: "completed" },
          { id: "answer", status: "completed" },
        ],
        remove: ["work"],
      },
    });
  });

  it("A-10 has no such step in a plan that begins with the answer", () => {
    const update = planUpdate("a poem", { isFirst: true, phase: "answer", isIdle: true }, say);
    const ids = "replace" in update ? update.replace?.steps.map(({ id }) => id) : [];
    expect(ids).toEqual(["find", "answer"]);
  });

  it("M-02 keeps it when there was work", () => {
    const update = planUpdate("x", { isFirst: false, phase: "answer", isIdle: false }, say);
    expect(update).toEqual({
      patch: {
        update: [
          { id: "find", status: "completed" },
          { id: "work", status: "completed" },
          { id: "answer", status: "completed" },
        ],
      },
    });
  });
});
