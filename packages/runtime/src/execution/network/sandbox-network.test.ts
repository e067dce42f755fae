import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { SOURCES } from "../../../../../scripts/packages.mjs";
import type { ExecutionReceipt } from "../../index.ts";
import { createProcessExecutor } from "../../internal/index.ts";

interface Outcome {
  readonly receipts: readonly ExecutionReceipt[];
  /** Requests that reached the server in the open, and the one on the machine itself. */
  readonly open: readonly string[];
  readonly local: readonly string[];
  /** Names that were looked up. */
  readonly asked: readonly string[];
  readonly connectionsLeft: number;
  readonly socketsLeft: readonly string[];
}

interface Task {
  readonly domains: readonly string[];
  /** A Python script; it runs after `PREAMBLE`. */
  readonly script: string;
  readonly limits?: object;
  readonly stdin?: string;
}

const NOBODY = 65_534;
const USERS = process.getuid?.() === 0 ? ["this user", "nobody"] : ["this user"];

/**
 * A process of any user that runs scripts. 127.0.0.2 stands for the open internet, 127.0.0.1 is what
 * must not be reached; both have a server at the same port, which is put in place of PORT.
 */
const HOST = `import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { createBubblewrapExecutor } from "@skillwright/runtime/internal";
const { folder, tasks, together } = JSON.parse(readFileSync(0, "utf8"));
const seen = { open: [], local: [] };
const sockets = new Set();
const serve = async (list, port, address) => {
  const server = createServer((request, response) => {
    list.push(request.headers.host + request.url);
    response.setHeader("x-seen", JSON.stringify(request.headers));
    if (request.url === "/hang") return;
    response.end("hello from " + request.headers.host);
  }).listen(port, address);
  server.on("connection", (socket) => { sockets.add(socket); socket.on("close", () => sockets.delete(socket)); });
  await once(server, "listening");
  return server;
};
const open = await serve(seen.open, 0, "127.0.0.2");
const { port } = open.address();
const local = await serve(seen.local, port, "127.0.0.1");
const asked = [];
const rebinding = new Map();
const admission = {
  isPublic: (address) => address === "127.0.0.2",
  async lookup(host) {
    asked.push(host);
    const times = (rebinding.get(host) ?? 0) + 1;
    rebinding.set(host, times);
    if (host.endsWith("nowhere.test")) throw new Error("ENOTFOUND");
    if (host === "localhost" || host === "inside.test" || (host === "rebind.test" && times > 1)) return [{ address: "127.0.0.1", family: 4 }];
    if (host === "mixed.test") return [{ address: "127.0.0.2", family: 4 }, { address: "127.0.0.1", family: 4 }];
    return [{ address: "127.0.0.2", family: 4 }];
  },
};
const executor = createBubblewrapExecutor({ admission, temporaryDirectory: folder });
const fill = (text) => text.replaceAll("PORT", String(port));
const run = ({ script, domains, ...more }, i) => {
  writeFileSync(folder + "/skill/scripts/" + i + ".py", fill(script));
  const network = domains.length === 0 ? "none" : { domains: domains.map(fill) };
  return executor.run({ skill: { name: "skill", path: folder + "/skill" }, script: i + ".py", args: [], cwd: "fresh", network, ...more });
};
for (const [i] of tasks.entries()) writeFileSync(folder + "/skill/scripts/" + i + ".py", "");
const receipts = [];
if (together) receipts.push(...await Promise.all(tasks.map(run)));
else for (const [i, task] of tasks.entries()) receipts.push(await run(task, i));
await new Promise((resolve) => setTimeout(resolve, 100));
const socketsLeft = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".sock"));
process.stdout.write(JSON.stringify({ receipts, ...seen, asked, connectionsLeft: sockets.size, socketsLeft }));
process.exit(0);
`;

const PREAMBLE = `import os, socket, ssl, sys, urllib.request, urllib.error
def attempt(name, work):
    try:
        print(name, "done", work() or "")
    except BaseException as error:
        print(name, type(error).__name__, getattr(error, "code", ""))
def get(url):
    return urllib.request.urlopen(url, timeout=5).read().decode()
def raw(text, more=b""):
    with socket.create_connection(("127.0.0.1", 3128), 5) as s:
        s.sendall(text.encode("latin1") + more); s.settimeout(5)
        answer = b""
        while b"\\r\\n\\r\\n" not in answer:
            chunk = s.recv(65536)
            if not chunk: break
            answer += chunk
        return answer.split(b"\\r\\n")[0].decode("latin1")
def tunnel(target):
    return raw("CONNECT %s HTTP/1.1\\r\\nHost: good.test\\r\\n\\r\\n" % target)
`;

let bundle = "";
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-network-"));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "entry.mjs"), HOST);
  const built = await rolldown({
    input: join(folder, "entry.mjs"),
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
    external: ["sucrase"],
  });
  await built.write({ dir: join(folder, "dist"), format: "esm", entryFileNames: "host.mjs" });
  await built.close();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  bundle = join(folder, "dist/host.mjs");
});
afterAll(() => rmSync(dirname(dirname(bundle)), { recursive: true, force: true }));

async function runAs(user: string, tasks: readonly Task[], together = false): Promise<Outcome> {
  const folder = temporaryFolder({ "skill/SKILL.md": "---\nname: skill\n---\n" });
  mkdirSync(join(folder, "skill/scripts"));
  const scripts = tasks.map((task) => ({ ...task, script: PREAMBLE + task.script }));
  const identity = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  if (user === "nobody") {
    await ended(spawn("chown", ["-R", `${NOBODY}:${NOBODY}`, folder], { stdio: "pipe" }));
  }
  const [program, ...args] = [...(user === "nobody" ? identity : []), process.execPath, bundle];
  const child = spawn(program, args, { cwd: "/", stdio: "pipe", env: { PATH: "/usr/bin:/bin" } });
  child.stdin.end(JSON.stringify({ folder, tasks: scripts, together }));
  const text = await ended(child);
  return JSON.parse(text) as Outcome;
}

async function ended(child: ReturnType<typeof spawn>): Promise<string> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`ended with ${String(code)}: ${stderr}`);
  return stdout;
}

describe.each(USERS)("network of scripts as %s", (user) => {
  it("X-06 reaches the domains it was given, and names every place it wanted", async () => {
    const { receipts, open, local, asked } = await runAs(user, [
      {
        domains: ["good.test:PORT", "*.many.test:PORT"],
        script: `
print(get("http://good.test:PORT/a"))
print(get("http://GOOD.test.:PORT/b"))
print(get("http://a.many.test:PORT/c"))
print(tunnel("good.test:PORT"))
attempt("other", lambda: get("http://evil.test:PORT/"))
attempt("stdin", lambda: sys.stdin.read())`,
        stdin: "given",
      },
      { domains: [], script: `print([n for n in os.environ if "PROXY" in n.upper()])` },
    ]);
    const [receipt, without] = receipts;
    expect(receipt, receipt?.stderr).toMatchObject({ ok: true, sandbox: "bubblewrap" });
    expect(receipt?.stdout.replaceAll(/:\d+/g, "").split("\n")).toEqual([
      "hello from good.test",
      "hello from good.test",
      "hello from a.many.test",
      "HTTP/1.1 200 Connection established",
      "other HTTPError 403",
      "stdin done given",
      "",
    ]);
    expect(open.map((line) => line.replace(/:\d+/, ""))).toEqual([
      "good.test/a",
      "good.test/b",
      "a.many.test/c",
    ]);
    const port = receipt?.network?.[0]?.port;
    expect(receipt?.network).toEqual([
      { host: "good.test", port, allowed: true },
      { host: "a.many.test", port, allowed: true },
      { host: "evil.test", port, allowed: false },
    ]);
    expect(asked).not.toContain("evil.test");
    expect(local).toEqual([]);
    expect(without).toMatchObject({ ok: true, stdout: "[]\n" });
    expect(without).not.toHaveProperty("network");
  });

  it("X-06 reaches nothing past the proxy", async () => {
    const { receipts, open, local } = await runAs(user, [
      {
        domains: ["good.test:PORT"],
        script: `
def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as s:
        s.settimeout(2); s.connect(address)
attempt("direct", lambda: connect(socket.AF_INET, ("127.0.0.2", PORT)))
attempt("local", lambda: connect(socket.AF_INET, ("127.0.0.1", PORT)))
attempt("public", lambda: connect(socket.AF_INET, ("1.1.1.1", 443)))
attempt("udp", lambda: connect(socket.AF_INET, ("1.1.1.1", 53), socket.SOCK_DGRAM))
attempt("metadata", lambda: connect(socket.AF_INET, ("169.254.169.254", 80)))
attempt("ipv6", lambda: connect(socket.AF_INET6, ("2606:4700:4700::1111", 443)))
attempt("dns", lambda: socket.getaddrinfo("good.test", PORT) and "resolved")
attempt("noproxy", lambda: urllib.request.build_opener(urllib.request.ProxyHandler({})).open("http://good.test:PORT/", timeout=3))
attempt("write", lambda: open("/run/network/evil", "w"))
attempt("unlink", lambda: os.unlink("/run/network/proxy.sock"))`,
      },
    ]);
    expect(receipts[0]?.ok, receipts[0]?.stderr).toBe(true);
    expect(receipts[0]?.stdout.match(/ done/g)).toBeNull();
    expect([...open, ...local]).toEqual([]);
  });

  it("X-06 is not led to addresses that are none of the internet", async () => {
    const targets = [
      ["169.254.169.254:80", "localhost:PORT", "127.0.0.1:PORT", "127.1:PORT", "2130706433:PORT"],
      ["0x7f000001:PORT", "0177.0.0.1:PORT", "0:PORT", "[::1]:PORT", "[::ffff:127.0.0.1]:PORT"],
      ["[::ffff:7f00:1]:PORT", "[64:ff9b::7f00:1]:PORT", "[fe80::1]:PORT", "[::]:PORT"],
      ["127.0.0.2:PORT", "inside.test:PORT", "mixed.test:PORT", "good.test:22", "good.test:443"],
      ["evil-good.test:PORT", "good.test.evil.test:PORT", "xgood.test:PORT", "a.good.test:PORT"],
      ["good.test@127.0.0.1:PORT", "good.test:PORT@127.0.0.1:PORT", "good.test", "good.test:"],
      ["good.test:PORT:PORT", "good.test:0", "good.test:99999", "good.test%00.evil.test:PORT"],
      ["http://good.test:PORT", "good.test..:PORT", ".good.test:PORT", ":PORT"],
      ["many.test:PORT", "xmany.test:PORT", "a.nowhere.test:PORT"],
    ].flat();
    const { receipts, open, local, asked } = await runAs(user, [
      {
        domains: [
          ["good.test:PORT", "*.many.test:PORT", "inside.test:PORT", "mixed.test:PORT"],
          ["*.nowhere.test:PORT", "localhost:PORT", "[::1]:PORT", "169.254.169.254"],
        ].flat(),
        script: `
for target in ${JSON.stringify(targets)}:
    attempt(target, lambda: "OPEN" if " 200" in tunnel(target) else "refused")
    attempt(target, lambda: "OPEN" if " 200" in raw("GET http://%s/ HTTP/1.1\\r\\nHost: good.test:PORT\\r\\nConnection: close\\r\\n\\r\\n" % target) else "refused")
attempt("trick", lambda: get("http://inside.test:PORT/"))`,
      },
    ]);
    const lines = receipts[0]?.stdout.trimEnd().split("\n") ?? [];
    expect(lines.filter((line) => line.includes("OPEN"))).toEqual([]);
    expect(lines).toHaveLength(2 * targets.length + 1);
    expect([...open, ...local]).toEqual([]);
    expect(
      asked.every((name) => /^(?:inside|mixed|localhost|a\.nowhere)(?:\.test)?$/.test(name)),
    ).toBe(true);
    const allowed = receipts[0]?.network?.filter((use) => use.allowed).map(({ host }) => host);
    expect(allowed).toEqual(["a.nowhere.test"]);
  });

  it("X-06 connects to the address that was checked, whatever the next answer is", async () => {
    const script = `
for i in range(3): attempt("rebind", lambda: get("http://rebind.test:PORT/"))`;
    const { receipts, open, local } = await runAs(user, [
      { domains: ["rebind.test:PORT"], script },
    ]);
    expect(receipts[0]?.stdout).toMatch(
      /^rebind done hello.*\nrebind HTTPError 403\nrebind HTTPError 403\n$/,
    );
    expect(open).toHaveLength(1);
    expect(local).toEqual([]);
  });

  it("X-06 ends with the run, and belongs to it alone", async () => {
    const { receipts, connectionsLeft, socketsLeft, open } = await runAs(
      user,
      [
        {
          domains: ["good.test:PORT"],
          script: `
import time
s = socket.create_connection(("127.0.0.1", 3128), 5)
s.sendall(b"GET http://good.test:PORT/hang HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
if os.fork() == 0:
    os.setsid(); time.sleep(300)
time.sleep(1.5)
sys.exit(7)`,
        },
        {
          domains: ["other.test:PORT"],
          script: `
import time
time.sleep(0.5)
attempt("their domain", lambda: get("http://good.test:PORT/"))
for folder, _, names in os.walk("/"):
    if folder.startswith(("/proc", "/usr", "/sys")): continue
    for name in names:
        if name.endswith(".sock"): print(os.path.join(folder, name))`,
        },
        {
          domains: [],
          script: `
import time
time.sleep(0.5)
attempt("proxy", lambda: tunnel("good.test:PORT"))
print(os.path.exists("/run/network"))`,
        },
        {
          domains: ["good.test:PORT"],
          script: "import time; time.sleep(60)",
          limits: { timeoutMs: 1500 },
        },
        { domains: ["good.test:PORT"], script: "os.kill(os.getpid(), 11)" },
      ],
      true,
    );
    expect(receipts[0]).toMatchObject({ exitCode: 7, signal: null });
    expect(receipts[1]?.stdout).toBe("their domain HTTPError 403\n/run/network/proxy.sock\n");
    expect(receipts[2]?.stdout).toBe("proxy ConnectionRefusedError \nFalse\n");
    expect(receipts[3]).toMatchObject({ timedOut: true });
    expect(receipts[4]).toMatchObject({ exitCode: 139, signal: "SIGSEGV" });
    expect(open).toHaveLength(1);
    expect(connectionsLeft).toBe(0);
    expect(socketsLeft).toEqual([]);
  });

  it("X-06 keeps the script's own limits, small ones too", async () => {
    const limits = { memoryBytes: 64 * 1024 * 1024, openFiles: 24, processes: 4, cpuSeconds: 5 };
    const { receipts } = await runAs(user, [
      {
        domains: ["good.test:PORT"],
        limits,
        script: `
import resource
print(resource.getrlimit(resource.RLIMIT_DATA)[1], resource.getrlimit(resource.RLIMIT_NOFILE)[1], resource.getrlimit(resource.RLIMIT_CPU))
print(get("http://good.test:PORT/").split(":")[0])
import subprocess
count = 0
try:
    for i in range(40): subprocess.Popen(["/bin/sleep", "30"]); count += 1
except BaseException as error: print("stopped", count < 16)`,
      },
    ]);
    expect(receipts[0]?.stdout, receipts[0]?.stderr).toBe(
      "67108864 24 (5, 6)\nhello from good.test\nstopped True\n",
    );
  });
});

it("X-06 shows who vouches for servers, when there is some network", async () => {
  const script = `print(len(ssl.create_default_context().get_ca_certs()) > 0)`;
  const { receipts } = await runAs("this user", [{ domains: ["good.test"], script }]);
  const hasSome = existsSync("/etc/ssl/certs/ca-certificates.crt");
  expect(receipts[0]?.stdout).toBe(hasSome ? "True\n" : "False\n");
});

it("X-06 a plain process is told to be held back by nothing", async () => {
  const path = temporaryFolder({ "scripts/a.py": "print(1)" });
  const receipt = await createProcessExecutor().run({
    skill: { name: "skill", path },
    script: "a.py",
    args: [],
    cwd: "fresh",
    network: { domains: ["example.com"] },
  });
  expect(receipt).toMatchObject({ ok: true, stdout: "1\n" });
  expect(receipt.unenforced).toContain("network");
});
