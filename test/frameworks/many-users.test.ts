import * as fc from "fast-check";
import { openSkills, type OpenSkillsOptions } from "@skillwright/core";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { numRuns } from "../support/suite.ts";

const NAMES = ["alpha", "beta", "gamma", "delta"];

const OPTIONS: OpenSkillsOptions = {
  roots: [],
  inline: NAMES.map((name) => ({
    name,
    description: `The skill ${name}. Use for ${name}.`,
    instructions: `# Instructions of ${name}\n`,
    files: { "references/a.md": `Reference of ${name}.\n` },
  })),
};

interface Step {
  readonly user: number;
  readonly name: string;
  readonly act: "load" | "read" | "unload" | "save";
}

const USERS = 200;

const step: fc.Arbitrary<Step> = fc.record({
  user: fc.nat(USERS - 1),
  name: fc.constantFrom(...NAMES),
  act: fc.constantFrom("load", "load", "read", "unload", "save"),
});

describe("D-12 many users of one process", () => {
  it("D-12 nothing crosses between 200 conversations, whatever they do at the same time", async () => {
    const skills = await openSkills(OPTIONS);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 400 }), async (steps) => {
        // What a user may see depends on who it is.
        const mayUse = (user: number, name: string) => name !== NAMES[user % NAMES.length];
        const open = (user: number, state?: unknown) =>
          skills.conversation({
            include: NAMES.filter((name) => mayUse(user, name)),
            ...(state !== undefined && { state }),
          });
        const chats = Array.from({ length: USERS }, (_, user) => open(user));
        const expected = chats.map(() => new Set<string>());
        const byUser = chats.map((_, user) => steps.filter((one) => one.user === user));
        const seen: [what: string, actual: unknown, expected: unknown][] = [];
        const play = async (user: number): Promise<void> => {
          for (const { name, act } of byUser[user] ?? []) {
            const active = expected[user]!;
            const chat = chats[user]!;
            const mine = mayUse(user, name);
            if (act === "load") {
              const loaded = await chat.activate(name);
              // A model is told its instructions in its own conversation, and only there.
              const text = loaded.ok && loaded.text.includes(`# Instructions of ${name}`);
              seen.push([`load ${name}`, [loaded.ok, text], [mine, mine && !active.has(name)]]);
              if (mine) active.add(name);
            } else if (act === "unload") {
              seen.push([`unload ${name}`, chat.deactivate(name).ok, active.delete(name)]);
            } else if (act === "read") {
              const read = await chat.readFile(name, "references/a.md");
              seen.push([`read ${name}`, read.ok, mine]);
            } else {
              chats[user] = open(user, JSON.parse(JSON.stringify(chat.save())));
            }
          }
        };
        await Promise.all(chats.map((_, user) => play(user)));
        expect(seen.map(([what, actual]) => [what, actual])).toEqual(
          seen.map(([what, , wanted]) => [what, wanted]),
        );
        for (const [user, chat] of chats.entries()) {
          expect(new Set(chat.active.map(({ name }) => name))).toEqual(expected[user]);
          const hidden = NAMES[user % NAMES.length]!;
          expect(chat.instructions()).not.toContain(hidden);
          expect(JSON.stringify(chat.tools().map(({ inputSchema }) => inputSchema))).not.toContain(
            hidden,
          );
        }
      }),
      { numRuns: numRuns(100) / 10 },
    );
  });

  it("H-02 D-12 a web server gives each user a conversation that survives the request", async () => {
    const skills = await openSkills(OPTIONS);
    const states = new Map<string, unknown>(); // in earnest: a database
    const answer = async (url: string): Promise<string> => {
      const [, user = "", name = ""] = url.split("/");
      const chat = skills.conversation({ state: states.get(user) });
      const activation = await chat.activate(name);
      states.set(user, chat.save());
      return activation.ok ? activation.text : activation.message;
    };
    const server = createServer((request, response) => {
      void answer(request.url ?? "").then((text) => response.end(text));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const load = async (user: string, name: string) =>
      (await fetch(`http://127.0.0.1:${port}/${user}/${name}`)).text();
    expect(await load("ada", "alpha")).toContain("# Instructions of alpha");
    expect(await load("eve", "alpha")).toContain("# Instructions of alpha");
    expect(await load("ada", "alpha")).toContain("already active");
  });
});
