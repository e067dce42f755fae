import fc from "fast-check";
import { expect, it } from "vitest";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { wireNames } from "./wire-names.ts";

const named = (names: readonly string[]) =>
  names.map((name) => ({ name, description: "", inputSchema: { type: "object" } }));

it("M-03 names that every service takes stay, and the request is not copied", () => {
  const request = modelRequest();
  expect(wireNames(request).wired).toBe(request);
});

it("M-03 a name with a dot is sent without it, also in earlier calls, and comes back with it", () => {
  const calls = [{ id: "1", name: "files.read", input: {} }];
  const request = modelRequest([{ role: "assistant", content: "", calls }], {
    actions: named(["files.read", "files_read"]),
  });
  const { wired, restore } = wireNames(request);
  expect(wired.actions.map(({ name }) => name)).toEqual(["files_read_2", "files_read"]);
  expect(wired.messages).toMatchObject([{ calls: [{ name: "files_read_2" }] }]);
  expect(restore({ id: "2", name: "files_read_2", input: {} }).name).toBe("files.read");
  expect(restore({ id: "2", name: "files_read", input: {} }).name).toBe("files_read");
  expect(restore({ id: "2", name: "made_up", input: {} }).name).toBe("made_up");
});

it("M-03 whatever the names, they are valid, different, and come back", () => {
  const name = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.constantFrom(
      "a.b",
      "a/b",
      "a_b",
      "a_b_2",
      "数据",
      "x".repeat(64),
      "x".repeat(80),
      "__proto__",
    ),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
      const { wired, restore } = wireNames(modelRequest([], { actions: named(names) }));
      const wires = wired.actions.map((action) => action.name);
      for (const wire of wires) expect(wire).toMatch(/^[\w-]{1,64}$/);
      expect(new Set(wires).size).toBe(names.length);
      expect(wires.map((wire) => restore({ id: "", name: wire, input: {} }).name)).toEqual(names);
    }),
  );
});
