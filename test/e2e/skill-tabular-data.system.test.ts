import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { slowProfile, slowRows } from "../support/slow-table.ts";
import { skillEvals, unmetExpectations } from "../support/skill-evals.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SKILL = fileURLToPath(new URL("../../skills/tabular-data", import.meta.url));
const EVALS = skillEvals(SKILL);

interface Profile {
  readonly rows: number;
  readonly shorter: number;
  readonly longer: number;
  readonly columns: readonly Readonly<Record<string, unknown>>[];
}
interface Sink {
  cell: (bytes: Buffer, start: number, end: number) => void;
  row: (cells: number) => void;
}
type ScanCells = (table: { handle: number; first: Buffer; delimiter: string }, sink: Sink) => void;

function run(script: string, files: Readonly<Record<string, string | Buffer>>, ...args: string[]) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(SKILL, "scripts", script), ...args],
    { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return { status, stdout, stderr, folder };
}

function profileOf(text: string | Buffer, name = "t.csv", ...options: string[]): Profile {
  const { status, stdout, stderr } = run(
    "profile.mjs",
    { [name]: text },
    name,
    "--json",
    ...options,
  );
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Profile;
}

/** Cells with all that is special in CSV, and some that look like numbers and dates. */
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "é", "表", "😀", '"', ",", "\n", "\r\n", " ", ";", "1") }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc.constantFrom("", "0", "-0.50", "1.", ".5", "+7", "1e3", "1E-2", ".", "-", "1e999", "0x1F"),
  fc.constantFrom("12345678901234567890", "0.1000000000000000055", "2024-02-29", "2024-1-1"),
  fc.constantFrom("2024-02-29T10:00Z", "2023-12-31 23:59:59.5+01:00", "2024-02-29T", "١٢"),
);
const table = fc
  .array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 })
  .map((rows) =>
    rows.map((cells) =>
      cells.map((one) => (/[",\r\n]|^$/.test(one) ? quoted(one) : one)).join(","),
    ),
  );
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const anyText = fc.string({
  unit: fc.constantFrom("a", "表", '"', ",", "\n", "\r", "\r\n", "1", " "),
  maxLength: 40,
});

describe("C-01 tabular-data: reading", () => {
  it("C-01 cells are those of a slow reader, wherever the file is cut in pieces", async () => {
    const { scanCells } = (await import(join(SKILL, "scripts/lib/scan-cells.mjs"))) as {
      scanCells: ScanCells;
    };
    const file = join(temporaryFolder(), "t.csv");
    const scan = (text: string, cut: number): string[][] | string => {
      writeFileSync(file, text);
      const handle = openSync(file, "r");
      const first = Buffer.alloc(Math.min(cut, Buffer.byteLength(text)));
      readSync(handle, first);
      const rows: string[][] = [];
      let cells: string[] = [];
      try {
        scanCells(
          { handle, first, delimiter: "," },
          {
            cell: (bytes, start, end) => cells.push(bytes.toString("utf8", start, end)),
            row: (count) => {
              expect(count).toBe(cells.length);
              rows.push(cells);
              cells = [];
            },
          },
        );
        return rows;
      } catch (error) {
        return String(error).replace(/.*: a quote/, "a quote");
      } finally {
        closeSync(handle);
      }
    };
    const text = fc.oneof(
      anyText,
      table.map((lines) => lines.join("\r\n")),
    );
    fc.assert(
      fc.property(text, fc.nat(60), (one, cut) => {
        expect(scan(one, cut)).toEqual(slowRows(one) ?? "a quote is left open");
      }),
      { numRuns: 1000 },
    );
  });

  it("C-01 both readers see the same cells", async () => {
    const { DelimitedText } = (await import(join(SKILL, "scripts/lib/delimited-text.mjs"))) as {
      DelimitedText: new (
        delimiter: string,
        onHeader: (names: string[]) => void,
        onRow: (cells: string[]) => boolean,
      ) => { push: (text: string) => boolean; end: () => void };
    };
    fc.assert(
      fc.property(anyText, fc.nat(40), (body, cut) => {
        const text = `h\n${body}`;
        const rows: string[][] = [["h"]];
        const reader = new DelimitedText(
          ",",
          () => undefined,
          (cells) => rows.push(cells) > 0,
        );
        let problem = "";
        try {
          reader.push(text.slice(0, cut));
          reader.push(text.slice(cut));
          reader.end();
        } catch (error) {
          problem = String(error).replace(/.*: a/, "a");
        }
        expect(problem === "" ? rows : problem).toEqual(slowRows(text) ?? "a quote is left open");
      }),
      { numRuns: 1000 },
    );
  });

  it("C-01 a profile has the numbers of a slow one", async () => {
    const { profileTable } = (await import(join(SKILL, "scripts/lib/profile-table.mjs"))) as {
      profileTable: (file: string) => Promise<Profile>;
    };
    const file = join(temporaryFolder(), "t.csv");
    await fc.assert(
      fc.asyncProperty(table, async (lines) => {
        const text = `${lines.join("\n")}\n`;
        // With more semicolons than commas in its first line, a file is taken for one with semicolons.
        const plain = lines[0]?.replaceAll(/"[^"]*"/g, "") ?? "";
        fc.pre(plain.split(";").length <= plain.split(",").length);
        writeFileSync(file, text);
        expect(await profileTable(file)).toMatchObject(slowProfile(text));
      }),
      { numRuns: 500 },
    );
  });

  it("C-01 a profile of many rows, over the ends of the buffers", () => {
    const notes = ["plain", '"a ""b"" c"', '"two\nlines"', "表格", `"${"long ".repeat(300)}"`, ""];
    const rows = Array.from({ length: 40_000 }, (_, i) => {
      const day = String(1 + (i % 28)).padStart(2, "0");
      return `${i},${(i * 0.01).toFixed(2)},2024-02-${day},${notes[i % notes.length]}`;
    });
    const text = `id,amount,day,note\r\n${rows.join("\r\n")}`;
    expect(text.length).toBeGreaterThan(8 * 1024 * 1024);
    const profile = profileOf(text);
    expect(profile).toMatchObject(slowProfile(text));
    expect(profile.columns[1]).toMatchObject({ type: "number", min: 0, max: 399.99 });
    // To the cent, though no such number is exact in binary.
    expect(Number(Number(profile.columns[1]?.["sum"]).toFixed(8))).toBe(7_999_800);
    expect(profile.columns[3]).toMatchObject({ distinct: 5, empty: 6666 });
  });
});

describe("C-01 tabular-data: files as they come", () => {
  it("C-01 byte order mark, CRLF, no end of the last line, blank lines", () => {
    const { rows, columns } = profileOf("\uFEFFa,b\r\n\r\n1,x\r\n2,y");
    expect([rows, columns.map(({ name }) => name)]).toEqual([2, ["a", "b"]]);
    expect(columns[0]).toMatchObject({ type: "number", sum: 3 });
    expect(run("filter.mjs", { "t.csv": "\uFEFFa\r\n1" }, "t.csv").stdout).toBe("a\n1\n");
  });

  it("C-01 rows that are shorter or longer than the header are counted", () => {
    const profile = profileOf("a,b\n1\n1,2,3\n1,2\n");
    expect(profile).toMatchObject({ rows: 3, shorter: 1, longer: 1 });
    expect(profile.columns[1]).toMatchObject({ filled: 2, empty: 1 });
    const { stdout } = run("profile.mjs", { "t.csv": "a,b\n1\n1,2,3\n" }, "t.csv");
    expect(stdout).toContain("1 rows have fewer cells than the header");
    expect(stdout).toContain("1 rows have more cells than the header");
    const json = profileOf('{"a":1}\n{"a":2,"b":3}\n{}\n', "t.jsonl");
    expect(json).toMatchObject({ rows: 3, longer: 1, columns: [{ filled: 2, empty: 1 }] });
  });

  it("C-01 the separator is found outside of quotes", () => {
    for (const [text, names] of [
      ["a;b\n1;2\n", ["a", "b"]],
      ['"x,y,z";b\n1;2\n', ["x,y,z", "b"]],
      ["a|b|c\n", ["a", "b", "c"]],
    ] as const) {
      expect(profileOf(text, "t.csv").columns.map(({ name }) => name)).toEqual(names);
    }
    expect(profileOf("a~b\n", "t.csv", "--delimiter", "~").columns).toHaveLength(2);
    expect(run("profile.mjs", { "t.csv": "a" }, "t.csv", "--delimiter", "::").status).toBe(2);
  });

  it("C-01 the same name twice, or none, still gives a column each", () => {
    const { columns } = profileOf("a,a,,a_2\n1,2,3,4\n");
    expect(columns.map(({ name }) => name)).toEqual(["a_1", "a_3", "column_3", "a_2"]);
  });

  it.each([
    ["UTF-16 with a mark", Buffer.from("\uFEFFa,b\n", "utf16le"), "is UTF-16: convert it first"],
    ["UTF-16 without", Buffer.from("a,b\n1,2\n", "utf16le"), "iconv -f UTF-16LE -t UTF-8"],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0]), "compressed with gzip: unpack it first, with gunzip"],
    ["Excel", Buffer.from("PK\u0003\u0004xx"), "save the sheet as CSV first"],
    ["binary", Buffer.from("a,b\n1,\0\n"), "is binary: byte 7 is zero"],
    ["old line ends", Buffer.from("a,b\r1,2\r"), "end with CR alone"],
    ["an open quote", Buffer.from('a,b\n1,"2\n3,4\n'), "row 1: a quote is left open"],
    ["an open quote in the header", Buffer.from('a,"b\n'), "the first line: a quote is left open"],
    ["nothing", Buffer.alloc(0), "is empty"],
    ["blank lines only", Buffer.from("\n\r\n"), "there are no rows"],
  ])("C-01 %s is refused in one line", (_, bytes, message) => {
    for (const script of ["profile.mjs", "filter.mjs"]) {
      const { status, stdout, stderr } = run(script, { "t.csv": bytes }, "t.csv");
      expect([script, status, stderr]).toEqual([script, 1, expect.stringContaining(message)]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stdout.split("\n").length).toBeLessThanOrEqual(2);
    }
  });

  it("C-01 a cell or a line without end is refused before it fills the memory", () => {
    const open = `a,b\n1,"${"x".repeat(40 * 1024 * 1024)}`;
    for (const script of ["profile.mjs", "filter.mjs"]) {
      const { status, stderr } = run(script, { "t.csv": open }, "t.csv");
      expect([status, stderr]).toEqual([1, expect.stringContaining("row 1 is over 16 MiB")]);
    }
    const line = `{"a":"${"x".repeat(40 * 1024 * 1024)}`;
    const { status, stderr } = run("profile.mjs", { "t.jsonl": line }, "t.jsonl");
    expect([status, stderr]).toEqual([1, expect.stringContaining("line 1 is over 16 MiB")]);
  });

  it("C-01 long cells are told apart and shown short", () => {
    const long = "é".repeat(5 * 1024 * 1024);
    const { columns } = profileOf(`a,b\n${long}1,x\n${long}2,x\n${long}1,x\n`);
    expect(columns[0]).toMatchObject({ type: "text", distinct: 2 });
    expect(columns[0]?.["top"]).toEqual([`${"é".repeat(40)}… (2)`, `${"é".repeat(40)}… (1)`]);
  });

  it("C-01 memory does not grow with the file, nor with what its columns hold", () => {
    const value = (i: number) => `${"v".repeat(200)}${i % 900}`;
    const lines = Array.from({ length: 100_000 }, (_, i) => `${i},${value(i)},${value(i * 7)}`);
    const folder = temporaryFolder({ "t.csv": `a,b,c\n${lines.join("\n")}\n` });
    // What this process itself needed: the usual number would count its parent, too.
    const report = `import { readFileSync } from "node:fs";
      process.on("exit", () => {
        const status = readFileSync("/proc/self/status", "utf8");
        console.error(/VmHWM:\\s*(\\d+)/.exec(status)[1]);
      });`;
    const { stderr, stdout } = spawnSync(
      process.execPath,
      [
        "--import",
        `data:text/javascript,${encodeURIComponent(report)}`,
        join(SKILL, "scripts/profile.mjs"),
        "t.csv",
      ],
      { cwd: folder, encoding: "utf8" },
    );
    expect(stdout).toContain("900 distinct");
    expect(Number(stderr) / 1024).toBeLessThan(120);
  });
});

describe("C-01 tabular-data: filter, aggregate, join", () => {
  const sales = "region,amount,day\nNorth,10,2024-01-01\nSouth,2.5,2024-01-02\nNorth,,2024-01-03\n";

  it("C-01 filter: conditions, columns, limit, and files all or nothing", () => {
    const rows = (...args: string[]) => run("filter.mjs", { "t.csv": sales }, "t.csv", ...args);
    expect(rows("--where", "amount > 2 and not region = North").stdout).toBe(
      "region,amount,day\nSouth,2.5,2024-01-02\n",
    );
    expect(rows("--where", "amount empty", "--columns", "day,region").stdout).toBe(
      "day,region\n2024-01-03,North\n",
    );
    expect(rows("--limit", "1").stdout.trim().split("\n")).toHaveLength(2);
    const { folder, status } = rows("--out", "o.jsonl");
    expect(status).toBe(0);
    expect(readFileSync(join(folder, "o.jsonl"), "utf8").split("\n")[0]).toBe(
      '{"region":"North","amount":"10","day":"2024-01-01"}',
    );
    const broken = run("filter.mjs", { "t.csv": `${sales}x,"` }, "t.csv", "--out", "o.csv");
    expect([broken.status, readdirSync(broken.folder)]).toEqual([1, ["t.csv"]]);
  });

  it("C-01 filter: what it writes reads back as the same cells", () => {
    const rows = fc.sample(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 20, maxLength: 60 }),
      {
        numRuns: 5,
        seed: 8,
      },
    );
    for (const cells of rows) {
      const text = [["h", "i"], ...cells].map((row) => row.map(quoted).join(",")).join("\n");
      const { stdout } = run("filter.mjs", { "t.csv": text }, "t.csv");
      expect(slowRows(stdout)).toEqual([["h", "i"], ...cells]);
    }
  });

  it("C-01 aggregate: groups, empty cells, decimals that add up", () => {
    const by = (...args: string[]) => run("aggregate.mjs", { "t.csv": sales }, "t.csv", ...args);
    expect(by("--by", "region", "--sum", "amount", "--mean", "amount").stdout).toBe(
      "region,rows,sum_amount,mean_amount\nNorth,2,10,10\nSouth,1,2.5,2.5\n",
    );
    expect(by("--sum", "region").stderr).toContain('row 1: "North" is not a number');
    const cents = `a\n${"0.1\n".repeat(1000)}`;
    expect(run("aggregate.mjs", { "t.csv": cents }, "t.csv", "--sum", "a").stdout).toContain(
      "1000,100\n",
    );
    for (const odd of ["0x10", "Infinity", "1e999"]) {
      const { stderr } = run("aggregate.mjs", { "t.csv": `a\n${odd}\n` }, "t.csv", "--sum", "a");
      expect(stderr).toContain(`"${odd}" is not a number`);
    }
  });

  it("C-01 sums, smallest and largest values keep all their digits", () => {
    const ask = (text: string, name = "t.csv") => {
      const kinds = ["--sum", "v", "--mean", "v", "--min", "v", "--max", "v"];
      const { stdout } = run("aggregate.mjs", { [name]: text }, name, "--by", "k", ...kinds);
      return stdout.split("\n")[1];
    };
    expect(ask("k,v\ny,9007199254740993\n")).toBe(`y,1${",9007199254740993".repeat(4)}`);
    expect(ask("k,v\ny,9007199254740992\ny,9007199254740993\n")).toBe(
      "y,2,18014398509481985,9007199254740992.5,9007199254740992,9007199254740993",
    );
    expect(ask("k,v\ny,1234567890123456.78\ny,0.01\ny,-1e3\n")).toBe(
      "y,3,1234567890122456.79,411522630040818.93,-1000,1234567890123456.78",
    );
    expect(ask('{"k":"y","v":9007199254740993}\n', "t.jsonl")).toBe(
      `y,1${",9007199254740993".repeat(4)}`,
    );
    expect(ask('{"k":"at 1234567890123456789, \\"12345678901234567\\"","v":1}\n', "t.jsonl")).toBe(
      '"at 1234567890123456789, ""12345678901234567""",1,1,1,1,1',
    );
    const long = "v\n9007199254740993\n0.1\n";
    expect(run("profile.mjs", { "t.csv": long }, "t.csv").stdout).toContain(
      "from 0.1 to 9007199254740993, mean 4503599627370496.55, sum 9007199254740993.1",
    );
    expect(profileOf(long).columns[0]).toMatchObject({
      max: 9_007_199_254_740_992,
      exact: { max: "9007199254740993", sum: "9007199254740993.1" },
    });
  });

  it("C-01 sums are those of whole numbers, wherever the point stands", async () => {
    const { ExactSum } = (await import(join(SKILL, "scripts/lib/exact-sum.mjs"))) as {
      ExactSum: new () => {
        add: (text: string, value: number) => void;
        value: { scaled: bigint; places: number };
      };
    };
    const amount = fc.record({
      digits: fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }),
      short: fc.integer({ min: -99_999_999, max: 99_999_999 }),
      isShort: fc.boolean(),
      places: fc.nat(8),
    });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 40 }), (amounts) => {
        const sum = new ExactSum();
        let expected = 0n;
        for (const { digits, short, isShort, places } of amounts) {
          const units = isShort ? BigInt(short) : digits;
          const size = String(units < 0n ? -units : units).padStart(places + 1, "0");
          const split = size.length - places;
          const text = `${units < 0n ? "-" : ""}${size.slice(0, split)}.${size.slice(split)}`;
          sum.add(text, Number(text));
          expected += units * 10n ** BigInt(8 - places);
        }
        const { scaled, places } = sum.value;
        expect(scaled * 10n ** BigInt(8 - places)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("C-01 of two columns with one name, none is taken silently", () => {
    const twice = { "t.csv": "k,v,v\ny,1,2\n" };
    const sum = (name: string) => run("aggregate.mjs", twice, "t.csv", "--by", "k", "--sum", name);
    expect(sum("v")).toMatchObject({ status: 2, stdout: "" });
    expect(sum("v").stderr).toContain("several columns are called v; take one of: v_1, v_2");
    expect(sum("v_2").stdout).toBe("k,rows,sum_v_2\ny,1,2\n");
    const cases = { "t.csv": "k,V,v\ny,1,2\n" };
    expect(run("aggregate.mjs", cases, "t.csv", "--sum", "V").stdout).toContain("1,1");
    const other = { "t.csv": "k,Value,VALUE\ny,1,2\n" };
    expect(run("aggregate.mjs", other, "t.csv", "--sum", "value").stderr).toContain(
      "several columns are called value; take one of: Value, VALUE",
    );
  });

  it("C-01 join: partners, rows alone, names that are there twice", () => {
    const files = { "l.csv": "id,name\n1,a\n2,b\n", "r.tsv": "name\tid\nx\t1\ny\t1\n" };
    const inner = run("join.mjs", files, "l.csv", "r.tsv", "--on", "id");
    expect(inner.stdout).toBe("id,name,name_right\n1,a,x\n1,a,y\n");
    const left = run("join.mjs", files, "l.csv", "r.tsv", "--on", "id", "--kind", "left");
    expect(left.stdout).toContain("2,b,\n");
    expect(left.stderr).toContain("2 rows joined, 1 of the left file without a partner");
  });

  it("C-01 a reader that has enough is no error", () => {
    const folder = temporaryFolder({ "t.csv": `a\n${"1\n".repeat(500_000)}` });
    const filter = `"${process.execPath}" "${join(SKILL, "scripts/filter.mjs")}" t.csv`;
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["-c", `${filter} | head -n 1; exit "\${PIPESTATUS[0]}"`],
      { cwd: folder, encoding: "utf8" },
    );
    expect([status, stdout, stderr]).toEqual([0, "a\n", ""]);
  });

  it("C-01 wrong usage is 2 with the usage, a missing file 1 with its name", () => {
    for (const [script, ...args] of [
      ["profile.mjs"],
      ["filter.mjs", "t.csv", "--where", "nope = 1"],
      ["aggregate.mjs", "t.csv", "--by", "region", "--top", "0"],
      ["aggregate.mjs", "t.csv", "--sum", "amount", "--top", "2"],
      ["join.mjs", "t.csv"],
      ["profile.mjs", "t.csv", "--nope"],
    ] as const) {
      const { status, stderr } = run(script, { "t.csv": sales }, ...args);
      expect([script, args, status]).toEqual([script, args, 2]);
      expect(stderr).toMatch(/^error: .*\nusage: /);
    }
    expect(run("profile.mjs", {}, "no.csv").stderr).toBe("error: there is no file no.csv\n");
    expect(run("profile.mjs", {}, "--help")).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("N-03 tabular-data through the agent", () => {
  const files = { "project/sales.csv": "region,amount\nNorth,10\nSouth,2\nNorth,5\n" };
  it.each([
    ["What is in sales.csv?", "3 rows, 2 columns", "profile.mjs"],
    ["Sum amount by region in sales.csv", "North,2,15", "aggregate.mjs"],
    ["sales.csv 里有什么", "3 rows, 2 columns", "profile.mjs"],
  ])("N-03 M-02 %s", (request, expected, script) => {
    const args = ["run", request, "--yes=run_script", "--model", "offline", "--cwd", "project"];
    const { status, stdout, stderr } = builtCli(args, temporaryFolder(files));
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(`tabular-data/scripts/${script} (exit 0)`),
    ]);
    expect(stdout).toContain(expected);
  });

  it("C-01 the skill is lint-clean, and its evals have cases that it must leave alone", () => {
    const { status, stdout } = builtCli(["lint", "--strict", SKILL], temporaryFolder());
    expect([status, stdout]).toEqual([0, expect.stringContaining("No problems")]);
    const negative = EVALS.filter((one) => one.expectations.some((text) => /not used/.test(text)));
    expect([EVALS.length, negative.length]).toEqual([9, 2]);
  });

  it.each(EVALS)("M-02 C-01 its evals pass on the offline model: $prompt", (one) => {
    expect(unmetExpectations(SKILL, one)).toEqual([]);
  });
});
