import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHANGE, host, newFolder, ONLY_SCRIPTS, SCRIPT } from "../support/script-host.ts";

/** A script ran, and the answer about its changes comes with the same call made again. */
describe("what an answer does not cover", () => {
  it("P-06 other arguments, another digest of the skill, and another principal run their own script", async () => {
    const folder = newFolder();
    const one = await host(folder, ONLY_SCRIPTS);
    const waiting = await one.script(CHANGE);
    expect(await one.resume(waiting)).toMatchObject({ ok: true });
    const other = await one.script(`${CHANGE} `);
    expect([other.code, one.count()]).toEqual(["approval-needed", 2]);
    expect(other.request?.inputDigest).not.toBe(waiting.request?.inputDigest);
    const mallory = await host(folder, ONLY_SCRIPTS, { principal: "mallory" });
    expect(await mallory.resume(waiting)).toMatchObject({ code: "approval-of-another" });
    expect(await mallory.script(CHANGE)).toMatchObject({ code: "approval-needed" });
    expect(mallory.count()).toBe(3);
    writeFileSync(join(folder, "skills/w/scripts/do.sh"), `${SCRIPT} #`);
    expect(await one.script(CHANGE)).toMatchObject({ code: "approval-needed" });
    expect([one.count(), one.text("a.txt")]).toEqual([4, "one\n"]);
  });

  it("P-06 contents that are no longer those that were shown", async () => {
    const { script, resume, text, count } = await host(newFolder(), ONLY_SCRIPTS);
    const waiting = await script("echo two >> a.txt; echo new > new.txt");
    await script("echo three >> a.txt");
    expect(await resume(waiting)).toMatchObject({ ok: true });
    const again = await script("echo two >> a.txt; echo new > new.txt");
    expect(again).toMatchObject({ code: "approval-needed", request: { writable: ["new.txt"] } });
    expect(again.message).toContain('Kept, discarded or changed again meanwhile:\n- "a.txt"');
    expect([count(), text("a.txt")]).toEqual([2, "one\n"]);
  });

  it("P-01 a rule that denies the script by now", async () => {
    const folder = newFolder();
    const one = await host(folder, ONLY_SCRIPTS);
    const waiting = await one.script(CHANGE);
    const two = await host(folder, ONLY_SCRIPTS, { settings: { deny: ["run_script"] } });
    await two.resume(waiting);
    expect(await two.script(CHANGE)).toMatchObject({ code: "policy-denied" });
    expect([two.count(), two.text("a.txt")]).toEqual([1, "one\n"]);
  });

  it("P-06 a result under the name of another call, or a damaged one, does not count", async () => {
    const folder = newFolder();
    const one = await host(folder, ONLY_SCRIPTS);
    await one.script(CHANGE);
    const [of = ""] = one.openCalls();
    await one.script("echo other > other.txt");
    const other = one.openCalls().find((file) => file !== of) ?? "";
    copyFileSync(of, other);
    expect(await one.script("echo other > other.txt")).toMatchObject({
      request: { writable: ["other.txt"] },
    });
    expect(one.count()).toBe(3);
    writeFileSync(of, "{}");
    expect(await one.script(CHANGE)).toMatchObject({ code: "approval-needed" });
    expect(one.count()).toBe(4);
  });
});
