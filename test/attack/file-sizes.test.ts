import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles, readFile } from "../../packages/core/src/files/index.ts";
import { SkillAmongSecrets } from "./skill-among-secrets.ts";

describe("sizes and encodings", () => {
  it("T-09 answers for 10 GB of nothing, and for 10 GB behind a beginning", async () => {
    const fixture = new SkillAmongSecrets();
    writeFileSync(fixture.file("nothing"), "");
    writeFileSync(fixture.file("big.md"), "line\n".repeat(50_000));
    for (const name of ["nothing", "big.md"]) truncateSync(fixture.file(name), 10_000_000_000);
    const before = process.memoryUsage().rss;
    expect(await fixture.read("nothing", { bytes: true })).toBe("binary:application/octet-stream");
    expect(await fixture.read("big.md")).toBe("file-too-large");
    expect(await fixture.read("big.md", { section: "x" })).toBe("file-too-large");
    expect(await fixture.read("big.md", { startLine: 3, endLine: 4 })).toBe("text:line\nline\n");
    expect(await readFile(fixture.skill, "big.md", { page: true })).toMatchObject({
      endLine: 10_240,
      truncated: true,
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it("T-09 cuts one line of 100 MB", async () => {
    const fixture = new SkillAmongSecrets();
    writeFileSync(fixture.file("line.txt"), Buffer.alloc(100_000_000, "ä"));
    expect(await fixture.read("line.txt")).toBe("file-too-large");
    expect(await fixture.read("line.txt", { startLine: 1, endLine: 1 })).toBe("file-too-large");
    const page = await readFile(fixture.skill, "line.txt", { page: true, maxBytes: 1001 });
    expect(page).toMatchObject({ text: "ä".repeat(500), truncated: true, endOfFile: false });
  });

  it("T-09 gives no more than the limit of a file that grows while it is read", async () => {
    const fixture = new SkillAmongSecrets();
    writeFileSync(fixture.file("log.txt"), "x\n".repeat(20_000));
    for (let i = 0; i < 50; i++) {
      const reading = readFile(fixture.skill, "log.txt", { page: true });
      appendFileSync(fixture.file("log.txt"), "x\n".repeat(500));
      const result = await reading;
      expect(result.ok && result.kind === "text" && result.text.length <= 51_200).toBe(true);
    }
  });

  it("D-06 lists the first 2,000 of 100,000 files, in order, and says that there are more", async () => {
    const fixture = new SkillAmongSecrets();
    mkdirSync(fixture.file("many"));
    for (let i = 0; i < 100_000; i++) writeFileSync(fixture.file(`many/${i + 100_000}`), "");
    const result = await listFiles(fixture.skill, { under: "many" });
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(result.ok && result.files.length).toBe(2000);
    expect(result.ok && result.files.at(-1)?.path).toBe("many/101999");
    expect(await fixture.read("many/nowhere")).toBe("file-not-found");
  });

  it("D-06 comes back from a thousand nested folders", async () => {
    const fixture = new SkillAmongSecrets();
    const deep = fixture.file("d/".repeat(1000));
    mkdirSync(deep, { recursive: true });
    expect(await listFiles(fixture.skill)).toMatchObject({ ok: true, truncated: true });
    writeFileSync(join(deep, "f"), "deep");
    expect(await fixture.read(`${"d/".repeat(500)}x`)).toBe("file-not-found");
    expect(await fixture.read(`${"d/".repeat(1000)}f`)).toBe("path-invalid");
  });
});
