import { it } from "vitest";
import { createRedactor } from "/work/main/packages/runtime/src/audit/redaction/create-redactor.ts";
import { createStreamRedactor } from "/work/main/packages/runtime/src/audit/redaction/stream-redactor.ts";
import { openAudit } from "/work/main/packages/runtime/src/audit/open-audit.ts";
import { verifyAudit } from "/work/main/packages/runtime/src/audit/verify-audit.ts";
import { mkdtempSync, statSync } from "node:fs";
it("perf", async () => {
  const env = Object.fromEntries(Array.from({length: 20}, (_, i) => [`S${i}_TOKEN`, `value-${i}-${"abc".repeat(10)}${i}`]));
  const r = createRedactor({ env });
  const n = 1_000_000;
  const texts: Record<string,string> = { x: "x".repeat(n), eyJ: "eyJ".repeat(n/3), "eyJ.": "eyJaaaaaaaa.".repeat(n/12), sk: "sk-".repeat(n/3), skspace: "sk-aaaaaaaaaa ".repeat(n/14), url: "://".repeat(n/3), urlu: "://aaaaaaaaaa:".repeat(n/14), urlc: "://" + "a:".repeat(n/2), begin: "-----BEGIN PRIVATE KEY-----".repeat(n/27), bearer: "bearer ".repeat(n/7), pw: "password=".repeat(n/9), pwq: 'password="'.repeat(n/10), token: "token".repeat(n/5), tokensp: "token    ".repeat(n/9), auth: "authorization: ".repeat(n/15), cookie: "cookie: ".repeat(n/8), dash: "--".repeat(n/2), q: "?key=".repeat(n/5), bs: "\\".repeat(n), value: "value-".repeat(n/6), prose: "The quick brown fox jumps over the lazy dog, key: value.\n".repeat(n/57), nl: "\n".repeat(n) };
  for (const [k, t] of Object.entries(texts)) {
    const s = performance.now(); r.redactText(t); const whole = performance.now() - s;
    const s2 = performance.now(); const st = createStreamRedactor(r); for (let i = 0; i < t.length; i += 65536) st.write(t.slice(i, i + 65536)); st.end(); 
    const t1 = performance.now() - s2;
    let worst = ""; if (whole > 150) { const per = r.rules.texts.map((u, i) => { const a = performance.now(); t.replace(u.expression, u.replacement); return [i, Math.round(performance.now() - a)] as const; }).sort((a, b) => b[1] - a[1]).slice(0, 3); worst = JSON.stringify(per); }
    console.log(k.padEnd(10), whole.toFixed(0), "ms whole", t1.toFixed(0), "ms streamed", worst);
  }
  const folder = mkdtempSync("/tmp/perf-");
  for (const sync of ["never", "boundary"] as const) {
    const a = openAudit({ file: `${folder}/${sync}.jsonl`, stateDirectory: `${folder}/s`, redactor: r, sync });
    const s = performance.now();
    const N = 2000;
    for (let i = 0; i < N; i++) a.append({ event: sync === "never" ? "tool-call" : "script-start", data: { id: "abc", tool: "run_script", args: ["a", "b"], skill: "pdf", digest: "sha256:" + "a".repeat(64) } });
    console.log(sync, ((performance.now() - s) / N * 1000).toFixed(0), "µs/append");
    a.close();
    const v = performance.now(); await verifyAudit(`${folder}/${sync}.jsonl`, { stateDirectory: `${folder}/s` });
    console.log("verify MB/s", statSync(`${folder}/${sync}.jsonl`).size / 1e3 / (performance.now() - v));
  }
}, 300000);
