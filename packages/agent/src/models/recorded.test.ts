import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bad, fakeModel, good } from "../../../../test/support/model-server/fake-model.ts";
import { modelRequest } from "../../../../test/support/model-server/model-request.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { recorded } from "../index.ts";
import type { RecordedOptions } from "../internal/index.ts";
import { canonicalJson } from "../actions/index.ts";

function optionsFor(mode: RecordedOptions["mode"], folder: string): RecordedOptions {
  const redact = (text: string) => text.replaceAll("hunter2", "[redacted]");
  return { folder, mode, redact, env: {} };
}

describe("recorded", () => {
  it("M-02 replays what was recorded, streaming its text, without the model", async () => {
    const folder = join(temporaryFolder(), "cassettes");
    await recorded(fakeModel(good), optionsFor("record", folder)).decide(modelRequest());
    const model = fakeModel(bad());
    const texts: string[] = [];
    const response = await recorded(model, optionsFor("replay", folder)).decide(modelRequest(), {
      onText: (text) => void texts.push(text),
    });
    expect(response).toEqual(good);
    expect(texts).toEqual(["fine"]);
    expect(model.asked).toEqual([]);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
  });

  it("M-02 a missing cassette is an error that says how to record it", async () => {
    const model = fakeModel(good);
    const response = await recorded(model, optionsFor("replay", temporaryFolder())).decide(
      modelRequest(),
    );
    expect(response).toMatchObject({
      ok: false,
      error: {
        code: "cassette-missing",
        retryable: false,
        hint: expect.stringMatching(/record.*[0-9a-f]{64}\.json/),
      },
      usage: { calls: 0 },
    });
    expect(model.asked).toEqual([]);
  });

  it("M-02 auto records once, and in CI not at all", async () => {
    const folder = temporaryFolder();
    const model = fakeModel(good);
    const ci = { ...optionsFor("auto", folder), env: { CI: "true" } };
    expect(await recorded(model, ci).decide(modelRequest())).toMatchObject({
      error: { code: "cassette-missing" },
    });
    const auto = recorded(model, optionsFor("auto", folder));
    await auto.decide(modelRequest());
    await auto.decide(modelRequest());
    expect(model.asked).toHaveLength(1);
    expect(await recorded(model, ci).decide(modelRequest())).toEqual(good);
  });

  it("E-06 the request alone is the key: another model, system, message or action is another cassette", async () => {
    const folder = temporaryFolder();
    const options = optionsFor("record", folder);
    await recorded(fakeModel(good), options).decide(modelRequest());
    await recorded({ ...fakeModel(good), id: "x:y" }, options).decide(modelRequest());
    const model = recorded(fakeModel(good), options);
    await model.decide(modelRequest([{ role: "user", content: "other" }]));
    await model.decide(modelRequest(undefined, { system: "other" }));
    await model.decide(modelRequest(undefined, { actions: [] }));
    expect(readdirSync(folder)).toHaveLength(5);
    const { view } = modelRequest();
    await model.decide(modelRequest(undefined, { view: { ...view, mustAnswer: true } }));
    expect(readdirSync(folder)).toHaveLength(5);
  });

  it("P-04 no secret is in a cassette, and it is found again with another secret", async () => {
    const folder = temporaryFolder();
    const calls = [{ id: "1", name: "search", input: { hunter2: ["hunter2"] } }];
    const live = fakeModel({ ...good, message: { text: "hunter2", calls } } as typeof good);
    const request = modelRequest([{ role: "user", content: "my word is hunter2" }]);
    const response = await recorded(live, optionsFor("record", folder)).decide(request);
    expect(response).toMatchObject({ message: { text: "hunter2" } });
    const [file = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, file), "utf8")).not.toContain("hunter2");
    const redact = (text: string) => text.replaceAll("secret3", "[redacted]");
    const other = modelRequest([{ role: "user", content: "my word is secret3" }]);
    const replay = recorded(live, { ...optionsFor("replay", folder), redact });
    expect(await replay.decide(other)).toMatchObject({ ok: true, message: { text: "[redacted]" } });
  });

  it("E-06 each take of a request has its own answer", async () => {
    const folder = temporaryFolder();
    const options = optionsFor("record", folder);
    const other = { ...good, message: { text: "other", calls: [] } } as typeof good;
    await recorded(fakeModel(good), options).decide(modelRequest());
    await recorded(fakeModel(other), { ...options, take: 2 }).decide(modelRequest());
    const replay = (take: number) =>
      recorded(fakeModel(bad()), { ...optionsFor("replay", folder), take }).decide(modelRequest());
    expect(await replay(1)).toEqual(good);
    expect(await replay(2)).toEqual(other);
    expect(await replay(3)).toMatchObject({ error: { code: "cassette-missing" } });
  });

  it("E-06 an edited answer is refused", async () => {
    const folder = temporaryFolder();
    await recorded(fakeModel(good), optionsFor("record", folder)).decide(modelRequest());
    const [file = ""] = readdirSync(folder);
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), text.replace('"text": "fine"', '"text": "better"'));
    const replay = recorded(fakeModel(bad()), optionsFor("replay", folder));
    expect(await replay.decide(modelRequest())).toMatchObject({
      error: { code: "unreadable-answer" },
    });
  });

  it("M-02 failures are not recorded", async () => {
    const folder = temporaryFolder();
    await recorded(fakeModel(bad()), optionsFor("record", folder)).decide(modelRequest());
    expect(readdirSync(folder)).toEqual([]);
  });

  it("M-02 an answer that cannot be recorded is an error", async () => {
    const folder = join(temporaryFolder({ file: "" }), "file");
    expect(
      await recorded(fakeModel(good), optionsFor("record", folder)).decide(modelRequest()),
    ).toMatchObject({ ok: false, error: { code: "cassette-missing" }, usage: { calls: 1 } });
    expect(
      await recorded(fakeModel(good), optionsFor("replay", folder)).decide(modelRequest()),
    ).toMatchObject({ ok: false, error: { code: "unreadable-answer" } });
  });

  it("M-02 a cassette under the name of another is not taken for it", async () => {
    const folder = temporaryFolder();
    const model = recorded(fakeModel(good), optionsFor("record", folder));
    await model.decide(modelRequest());
    const [first = ""] = readdirSync(folder);
    await model.decide(modelRequest(undefined, { system: "other" }));
    const second = readdirSync(folder).find((file) => file !== first) ?? "";
    copyFileSync(join(folder, second), join(folder, first));
    const replay = recorded(fakeModel(good), optionsFor("replay", folder));
    expect(await replay.decide(modelRequest())).toMatchObject({
      error: { code: "unreadable-answer" },
    });
  });

  it.each(["", "{", "null", '{"schemaVersion":1,"key":"other"}'])(
    "M-02 refuses a file with %j",
    async (text) => {
      const folder = temporaryFolder();
      const options = optionsFor("record", folder);
      await recorded(fakeModel(good), options).decide(modelRequest());
      const [file = ""] = readdirSync(folder);
      writeFileSync(join(folder, file), text);
      const replay = recorded(fakeModel(good), optionsFor("replay", folder));
      expect(await replay.decide(modelRequest())).toMatchObject({
        ok: false,
        error: { code: "unreadable-answer", hint: expect.stringContaining("record") },
      });
    },
  );

  it("M-02 the order of names does not matter", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson([turned])).toBe(canonicalJson([value]));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
