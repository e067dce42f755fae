import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../index.ts";
import { decide } from "../internal/index.ts";

const PROGRAMS = wildcards("sed gsed awk gawk git split tar npm env xargs sudo id");
const WRAPPERS = wildcards("prlimit setpriv numactl perf ld-linux-x86-64.so.2");

describe("a rule with a wildcard", () => {
  it.each([
    "sed -n '/a/,/b/p' x",
    "sed -E 's/[a-z]+ (x|y)/\\1/; s|/|-|2' x",
    "sed 's/[[:space:]]*$//' x",
    "sed -e 's/a/b/' -e '$d' x",
    "sed '/^#/d;/^$/d' x",
    "sed '$!N;s/\\n/ /' x",
    "sed ':a;N;$!ba;s/\\n/ /g' x",
    "sed '1i header' x",
    "awk -F: '$3 > 5 {print $1}' x",
    "awk '/a|b/ {n++} END {print n}' x",
    "env LANG=C git status",
    "env -u A git status",
    "env -uA git status",
    "sed '1e id' x",
    "sed e x",
    "sed '1!e id' x",
    "sed '/a/,/b/{p;e id\n}' x",
    "sed s/x/id/e x",
    "sed 's/x/id/ge' x",
    "sed 's,x,id,w out' x",
    "sed 'w out' x",
    "sed -n '/a/w out' x",
    "sed '1W out' x",
    "sed 's/[/]/x/;s/]/id/e' x",
    "sed 's/[]/]/id/e' x",
    "sed 's/[[:space:]/]/id/e' x",
    "sed 'a text\ne id' x",
    "sed 'y/a/b/;e id' x",
    "sed ':a;e id' x",
    "sed 'ba;e id' x",
    "sed '#c\ne id' x",
    "sed -n -e p -e '1e id' x",
    "sed -ne '1e id' x",
    "sed '-e1e id' x",
    "sed '--expression=1e id' x",
    "sed --exp '1e id' x",
    "sed p x -e '1e id'",
    "sed -l 5 '1e id' x",
    "sed -E -- '1e id' x",
    "sed --i s/a/b/ x",
    "sed sxaxbxe x",
    "gsed '1e id' x",
    "awk '{print | \"id\"}'",
    "awk '{print $1 > \"x\"}'",
    "awk '{print $1 >> \"x\"}'",
    'awk \'{printf "%s", $1 > "x"}\'',
    "awk '{pri\\\nnt > \"x\"}'",
    "awk 'BEGIN{\"id\" | getline x}'",
    "awk 'BEGIN{system(\"id\")}'",
    "awk 'BEGIN{system (\"id\")}'",
    'awk \'BEGIN{f="sys" "tem"; @f("id")}\'',
    "awk '@load \"x\"; 1'",
    "awk -f x",
    "gawk -e '{print 1 \\\\' -e '> \"x\"}'",
    "gawk -o/x 1",
    "gawk 'BEGIN{system(\"id\")}'",
    "git clone -u ./evil a b",
    "git clone -qu ./evil a b",
    "git clone --upload-pack ./evil a b",
    "git clone --u=./evil a b",
    "git fetch --upload-pack=./evil a",
    "git send-email --smtp-server ./evil x",
    "git send-email --sendmail-cmd=./evil x",
    "git instaweb --httpd ./evil",
    "git hook run pre-commit",
    "git merge-index ./evil -a",
    "split --filter id x",
    "split --filter=id x",
    "split --fi=id x",
    "tar cfI x.tar ./evil a",
    "tar cIf ./evil x.tar a",
    "tar -cvvvvvvvvvIf ./evil x.tar a",
    "npm test --prefix ../evil",
    "npm --prefix=../evil test",
    "npm -C ../evil test",
    "env PATH=. git status",
    "env LD_PRELOAD=./x git status",
    "env -i PATH=. git status",
    "env -- PATH=. git status",
    "sudo PATH=. git status",
    "env -C /x git status",
    "env '-Sevil x' git status",
    "env '--split-string=evil x' git status",
    "env -a git evil",
    "env --argv0 git evil",
    "env --unse git evil",
    "env -uu evil git status",
    "xargs -iI evil git status",
    "sudo --role git evil",
  ])("P-01 does not cover %j", (command) => {
    expect(decided(command, PROGRAMS)).toBe("ask");
  });

  it.each([
    "sed -n 1,5p x",
    "sed 's/a/b/g' x",
    "sed 10q x",
    "sed -n '$=' x",
    "awk '{print $1}' x",
    "git push -u origin main",
    "git clone https://example.org/a b",
    "split -l 5 x",
    "tar czf x.tar a",
    "tar xf x.tar",
    "npm test",
  ])("P-01 covers %j", (command) => {
    expect(decided(command, PROGRAMS)).toBe("allow");
  });

  it.each([
    ["sed '1e id' x", ["Bash(sed '1e id' *)"], "allow"],
    ["sed '1e id' -e '1e ls' x", ["Bash(sed '1e id' *)"], "ask"],
    ["awk '{print > \"x\"}' y", ["Bash(awk '{print > \"x\"}' *)"], "allow"],
    ["sed -i 's/a/b/e' x", ["Bash(sed -i *)"], "ask"],
    ["split --filter id x", ["Bash(split --filter id *)"], "allow"],
    ["env PATH=. git status", ["Bash(env PATH=. git status)"], "allow"],
  ] as const)("P-01 %j with %j: %s", (command, allow, decision) => {
    expect(decided(command, allow)).toBe(decision);
  });
});

describe("programs that start others", () => {
  const starters = [
    "prlimit --nproc=5",
    "prlimit -n5",
    "setpriv --reuid 5",
    "numactl -N 0",
    "perf stat",
    "ld-linux-x86-64.so.2",
  ];

  it.each(starters)("P-01 %s asks, whatever it starts", (starter) => {
    expect(decided(`${starter} evil`, [...WRAPPERS, ...PROGRAMS])).toBe("ask");
    expect(decided(`${starter} git status`, WRAPPERS)).toBe("ask");
    expect(decided(`${starter} git status`, PROGRAMS)).toBe("ask");
    expect(decided(`${starter} git status`, [...WRAPPERS, ...PROGRAMS])).toBe("ask");
    expect(decided(`${starter} git status`, [`Bash(${starter} git status)`])).toBe("allow");
  });

  it.each([...starters, "/lib64/ld-linux-x86-64.so.2", "/lib/ld-musl-x86_64.so.1"])(
    "P-01 %s does not hide what is denied",
    (starter) => {
      expect(decided(`${starter} /bin/rm x`, ["Bash"], ["Bash(rm:*)"])).toBe("deny");
    },
  );

  it.each(["sed '1e rm x' y", "awk 'BEGIN{system(\"rm x\")}'", "split --filter 'rm x' y"])(
    "P-01 %s is not allowed where rm is denied",
    (command) => {
      expect(decided(command, ["Bash"], ["Bash(rm:*)"])).not.toBe("allow");
      expect(decided("sed s/a/b/ y", ["Bash"], ["Bash(rm:*)"])).toBe("allow");
    },
  );

  it("P-01 a loader asks before it loads more", () => {
    const command = "ld-linux-x86-64.so.2 --preload ./evil.so git status";
    expect(decided(command, [...WRAPPERS, ...PROGRAMS])).toBe("ask");
  });
});

function wildcards(names: string): readonly string[] {
  return names.split(" ").map((name) => `Bash(${name}:*)`);
}

function decided(command: string, allow: readonly string[], deny: readonly string[] = []) {
  return decide({
    tool: "run_command",
    input: { command },
    activeSkills: [],
    settings: { ...DEFAULT_POLICY, ask: [], switches: { run_command: true }, allow, deny },
    places: { workingDirectory: "/work", home: "/home/user" },
  }).decision;
}
