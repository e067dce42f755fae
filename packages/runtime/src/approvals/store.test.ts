import { createSecretKey, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { createRequest, fixedCall, hasSignature, keyedDigest } from "./index.ts";

const keyOf = (byte: number): KeyObject => createSecretKey(Buffer.alloc(32, byte));
const key = keyOf(1);
const verifyRequest = (value: unknown, by: KeyObject) => hasSignature("request", value, by);

function request(input: unknown = { skill: "pdf", script: "a.py", args: ["x"] }) {
  const call = fixedCall({
    tool: "run_script",
    input,
    cwd: "/work",
    skill: { name: "pdf", source: "project", digest: "sha256:aa" },
    script: { path: "scripts/a.py", args: ["x"], text: "print(1)\n" },
    command: ["python3", "scripts/a.py", "x"],
    writable: ["out"],
    network: ["example.org"],
  });
  const time = "2027-01-15T08:00:00.000Z";
  const more = {
    id: "a1",
    run: "r1",
    principal: "p",
    createdAt: time,
    terminalOnly: false,
    last: undefined,
  };
  return createRequest(call, { ...more, key });
}

type Path = readonly (string | number)[];

/** Where in a value there is something to change. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([name, item]) =>
    pathsOf(item, [...path, isList ? Number(name) : name]),
  );
  return [path, ...inner];
}

/** A copy in which the value at a path is another, or gone. */
function changed(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  copy[name] = changed(copy[name], rest, change);
  return copy;
}

describe("signed requests", () => {
  it("P-02 a request survives being stored, and another key knows nothing of it", () => {
    const stored: unknown = JSON.parse(JSON.stringify(request()));
    expect(verifyRequest(stored, key)).toBe(true);
    expect(verifyRequest(stored, keyOf(2))).toBe(false);
  });

  it("P-02 any edit of any part breaks the signature", () => {
    const stored: unknown = JSON.parse(JSON.stringify(request()));
    const other = fc.oneof(fc.jsonValue(), fc.string());
    fc.assert(
      fc.property(fc.constantFrom(...pathsOf(stored)), other, (path, replacement) => {
        const plain: unknown = JSON.parse(JSON.stringify(replacement));
        const edited = changed(stored, path, () => plain);
        fc.pre(JSON.stringify(edited) !== JSON.stringify(stored));
        expect(verifyRequest(edited, key)).toBe(false);
      }),
      { numRuns: numRuns(500) },
    );
  });

  it("P-02 nothing can be added or left out", () => {
    const stored = JSON.parse(JSON.stringify(request())) as Record<string, unknown>;
    for (const name of Object.keys(stored)) {
      const { [name]: _, ...rest } = stored;
      expect(verifyRequest(rest, key), name).toBe(false);
    }
    for (const path of pathsOf(stored)) {
      const edited = changed(stored, path, (old) =>
        typeof old === "object" && !Array.isArray(old) ? { ...old, extra: 1 } : [old, "extra"],
      );
      expect(verifyRequest(edited, key), path.join(".")).toBe(false);
    }
  });

  it("P-02 equal requests have equal signatures, and other inputs other ones", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [one, same, other] = [a, structuredClone(a), b].map(request);
        expect(one?.signature).toBe(same?.signature);
        fc.pre(one?.inputDigest !== other?.inputDigest);
        expect(one?.signature).not.toBe(other?.signature);
      }),
    );
  });

  it.each([null, "text", 1, [], {}, { signature: "" }, { signature: "00" }, { signature: 1 }])(
    "P-02 %j is no request",
    (value) => {
      expect(verifyRequest(value, key)).toBe(false);
    },
  );

  it("P-02 what JSON cannot hold was never signed", () => {
    const { signature, ...rest } = request();
    expect(verifyRequest({ ...rest, signature, extra: () => 1 }, key)).toBe(false);
  });

  it("P-02 a signature of one kind is none of another", () => {
    const { signature: _, ...rest } = request();
    const other = { ...rest, signature: keyedDigest("approval", rest, key) };
    expect(hasSignature("approval", other, key)).toBe(true);
    expect(verifyRequest(other, key)).toBe(false);
  });
});
