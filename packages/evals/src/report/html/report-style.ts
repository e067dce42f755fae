const COLUMNS = [1, 2, 3, 4, 5, 6]
  .map((sides) => {
    const columns = `minmax(0, 1fr) repeat(${sides}, minmax(5.5rem, ${sides > 3 ? "8rem" : "9rem"}))`;
    return `.cases[data-sides="${sides}"] :is(.heads, .case > summary) { grid-template-columns: ${columns}; }`;
  })
  .join("\n");

/** The list of cases, and a case that is open. Rows outside the window cost nothing. */
const CASE_STYLE = `
.toolbar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem 1rem; padding: 0.75rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
.toolbar fieldset { border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.15rem; margin: 0; display: flex; background: var(--tint); }
.toolbar legend { position: absolute; left: -100vw; }
.toolbar label { position: relative; cursor: pointer; }
.toolbar input[type="radio"] { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.toolbar label span { display: block; padding: 0.2rem 0.75rem; border-radius: 0.35rem; font-size: 0.875rem; }
.toolbar :checked + span { background: var(--card); font-weight: 600; box-shadow: 0 0 0 1px var(--line); }
.toolbar :focus-visible + span { outline: 2px solid var(--accent); }
.toolbar input[type="search"] { flex: 1 1 14rem; min-width: 0; font: inherit; font-size: 0.875rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.35rem 0.75rem; }
.toolbar output { color: var(--soft); font-size: 0.8125rem; min-width: 7.5rem; }
.heads, .case > summary { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem 1rem; align-items: baseline; }
${COLUMNS}
.heads { color: var(--soft); font-size: 0.8125rem; padding: 0.75rem 0.5rem 0.35rem 1.75rem; border-bottom: 1px solid var(--line); }
.case { border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.5rem; scroll-margin-top: 5rem; }
.case > summary { position: relative; padding: 0.5rem 0.5rem 0.5rem 1.75rem; list-style: none; font-size: 0.875rem; scroll-margin-top: 5rem; }
.case > summary::-webkit-details-marker { display: none; }
.case > summary::before { content: "›"; position: absolute; left: 0.75rem; top: 0.5rem; color: var(--soft); transition: transform 0.12s; }
.case[open] > summary::before { transform: rotate(90deg); }
.case > summary:hover { background: var(--tint); }
.case > summary:focus-visible { outline-offset: -2px; }
.case .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.case .name { font-weight: 500; } .case .name small { margin-left: 0.5rem; }
.case[open] { background: var(--card); }
.case[open] .name { white-space: normal; font-weight: 600; }
.inside { padding: 0.25rem 1.75rem 1.75rem; }
.inside p, .inside pre, .inside li, .inside td { unicode-bidi: isolate; }
.request, .inside pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 0.75rem; max-width: none; }
.request { border-left: 3px solid var(--line); padding: 0.1rem 0 0.1rem 0.9rem; }
.inside pre { background: var(--tint); border-radius: 0.4rem; padding: 0.5rem 0.75rem; max-height: 24rem; overflow: auto; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 0.5rem 2.5rem; }
.side { min-width: 0; } .side > h3 { margin-top: 1rem; display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
.trials { display: flex; flex-wrap: wrap; gap: 0.3rem; margin: 0.35rem 0; } .trials [aria-pressed="true"] { font-weight: 600; border-color: var(--accent); }
.grades, .timeline { list-style: none; padding: 0; margin: 0; }
.grades > li { padding: 0.35rem 0 0.35rem 1.4rem; border-bottom: 1px solid var(--line); position: relative; font-size: 0.875rem; overflow-wrap: anywhere; }
.grades > li > .mark { position: absolute; left: 0; }
.grades .evidence { display: block; color: var(--soft); font-size: 0.8125rem; white-space: pre-wrap; } 
.grades pre.evidence { display: block; margin: 0.3rem 0 0; color: var(--ink); font-size: 0.75rem; white-space: pre; overflow-wrap: normal; }
.timeline > li { font-size: 0.8125rem; } .timeline summary { display: grid; grid-template-columns: 4.2rem 5rem minmax(0, 1fr); gap: 0.6rem; align-items: center; padding: 0.2rem 0; list-style: none; }
.timeline summary > span:first-child { text-align: right; color: var(--soft); }
.timeline svg { width: 100%; height: 0.5rem; background: var(--tint); border-radius: 0.2rem; } .timeline rect { fill: var(--accent); } .timeline .failed rect { fill: var(--bar-fail); }
.timeline b { font-weight: 500; }
.timeline pre { margin: 0.2rem 0 0.5rem; font-size: 0.75rem; max-height: 14rem; }
.case [data-side]::before { content: attr(data-side) " "; }
.skip-visually, .case [data-side]::before { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
table.diff { border-collapse: collapse; width: 100%; table-layout: fixed; font-size: 0.8125rem; }
table.diff th, table.diff td { text-align: left; font-weight: 400; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; }
table.diff th:first-child, table.diff td:first-child { width: 2rem; text-align: center; color: var(--soft); font-weight: 600; }
table.diff thead th { color: var(--soft); }
table.diff tr.gone td:nth-child(2) { background: rgb(var(--wrong) / 0.1); } table.diff tr.new td:nth-child(3) { background: rgb(var(--right) / 0.12); }
.transcript .turn { margin: 0.5rem 0; } .transcript .turn > b { font-weight: 600; font-size: 0.8125rem; }
.transcript summary { font-size: 0.8125rem; color: var(--soft); margin-top: 0.75rem; }
@media (max-width: 40rem) {
  .heads { display: none; }
  .cases[data-sides] .case > summary { grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); padding-left: 1.25rem; font-size: 0.875rem; }
  .case > summary::before { left: 0.15rem; }
  .case [data-side]::before { position: static; clip-path: none; display: block; width: auto; height: auto; overflow: visible; white-space: normal; color: var(--soft); font-size: 0.75rem; }
  .case .name { grid-column: 1 / -1; white-space: normal; }
  .inside { padding: 0.25rem 0.25rem 1.25rem; }
  .toolbar { position: static; } .toolbar fieldset { flex-wrap: wrap; } .toolbar label span { padding: 0.2rem 0.5rem; }
}
`;

/** Colours, type, sections. Signs and words carry the meaning; colours only help to find it. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf9; --card: #fff; --ink: #1d2126; --soft: #5a616b; --line: #e3e0d9; --tint: #f3f1ec;
  --accent: #2f5d8a; --pass: #17693f; --fail: #ad2a1f; --flaky: #835300; --error: #6d3a9c; --unjudged: #5a616b;
  --bar-pass: #5fae86; --bar-fail: #d9695f; --bar-flaky: #e0a93f; --bar-error: #a57fd0; --bar-unjudged: #b4b8be;
  --right: 23 105 63; --wrong: 173 42 31;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --card: #1c1f23; --ink: #e8e6e1; --soft: #a2a8b0; --line: #32363c; --tint: #23272c;
    --accent: #8ab8e6; --pass: #79cfa2; --fail: #f0958c; --flaky: #e6b960; --error: #c4a3ea; --unjudged: #a2a8b0;
    --bar-pass: #3d8f66; --bar-fail: #b9544b; --bar-flaky: #b5852b; --bar-error: #8460b0; --bar-unjudged: #5c626a;
    --right: 95 190 140; --wrong: 230 120 110;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4.5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
.page { max-width: 78rem; margin: 0 auto; padding: 2.5rem 2rem 6rem; }
h1 { font-size: 1.5rem; line-height: 1.35; font-weight: 600; letter-spacing: -0.012em; margin: 0 0 1rem; max-width: 44rem; text-wrap: pretty; }
h2 { font-size: 1.2rem; font-weight: 600; letter-spacing: -0.01em; margin: 0 0 1rem; }
h3 { font-size: 0.9375rem; font-weight: 600; margin: 1.75rem 0 0.5rem; }
h4 { font-size: 0.8125rem; font-weight: 600; margin: 1.25rem 0 0.4rem; color: var(--soft); }
p { margin: 0 0 0.75rem; max-width: 46rem; }
small, .quiet { color: var(--soft); font-weight: 400; font-size: 0.8125rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
code, pre, kbd { font: 0.8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; }
code { background: var(--tint); border-radius: 0.3rem; padding: 0.12rem 0.4rem; overflow-wrap: anywhere; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 0.3rem; padding: 0 0.35rem; font-size: 0.75rem; }
ul { margin: 0 0 0.75rem; padding-left: 1.2rem; }
ul.plain, ul.flips, ul.mistakes, ul.findings, ul.inline, ul.counts, ul.digests { list-style: none; padding-left: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: 0.5rem 1rem; z-index: 3; }
header { display: grid; grid-template-columns: minmax(0, 1fr) minmax(18rem, 25rem); gap: 2.5rem 3.5rem; align-items: start; }
header.two { grid-template-columns: minmax(0, 1fr); }
.brand { grid-column: 1 / -1; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 2rem; margin: 0 0 -1rem; max-width: none; }
.brand b { font-weight: 600; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; padding: 0; margin: 0; font-size: 0.8125rem; }
nav a { color: var(--soft); text-decoration: none; padding: 0.25rem 0; display: inline-block; }
nav a:hover { color: var(--ink); text-decoration: underline; }
.status { display: inline-flex; gap: 0.5rem; align-items: center; font-weight: 600; margin: 0 0 0.85rem; padding: 0.2rem 0.85rem 0.2rem 0.65rem; border: 1.5px solid; border-radius: 2rem; }
.status.pass { color: var(--pass); } .status.fail { color: var(--fail); } .status.errors { color: var(--error); }
.status.inconclusive { color: var(--flaky); } .status.no-data { color: var(--unjudged); }
.status-word { text-transform: capitalize; margin-right: 0.25rem; }
.status-word.regression { color: var(--fail); } .status-word.better { color: var(--pass); } .status-word.errors { color: var(--error); } .status-word.inconclusive { color: var(--flaky); }
.next span { color: var(--soft); margin-right: 0.35rem; font-size: 0.8125rem; }
.notes { color: var(--soft); font-size: 0.875rem; max-width: 44rem; }
.since { border-left: 3px solid var(--line); padding-left: 0.9rem; }
.lead { font-size: 1rem; }
.bars { display: grid; gap: 0.25rem; margin-top: 1.5rem; max-width: 44rem; }
.bars h3 { margin: 0.5rem 0 0.35rem; font-size: 0.8125rem; }
.bar { display: block; width: 100%; height: 0.75rem; border-radius: 0.25rem; }
.bar .pass { fill: var(--bar-pass); } .bar .fail { fill: var(--bar-fail); } .bar .flaky { fill: var(--bar-flaky); } .bar .error { fill: var(--bar-error); } .bar .unjudged { fill: var(--bar-unjudged); }
.counts { display: flex; flex-wrap: wrap; gap: 0 1.1rem; margin: 0.3rem 0 0; font-size: 0.8125rem; }
.mark { white-space: nowrap; } .mark b { display: inline-block; min-width: 0.85em; text-align: center; }
.mark.pass { color: var(--pass); } .mark.fail { color: var(--fail); } .mark.flaky { color: var(--flaky); } .mark.error { color: var(--error); } .mark.unjudged { color: var(--unjudged); }
.setup { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); padding: 1rem 1.25rem; font-size: 0.8125rem; }
.setup h2 { font-size: 0.8125rem; margin: 0 0 0.4rem; color: var(--soft); }
.setup table { border-collapse: collapse; width: 100%; }
.setup th, .setup td { text-align: left; vertical-align: top; padding: 0.16rem 0; font-weight: 400; overflow-wrap: anywhere; }
.setup tbody th { color: var(--soft); width: 6.5rem; padding-right: 1rem; white-space: nowrap; }
.setup td + td { padding-left: 1rem; } .setup th + th { padding-left: 1rem; } .setup thead th { font-weight: 600; }
.setup .changed td { font-weight: 600; }
.setup details { margin-top: 0.5rem; }
summary { cursor: pointer; }
.digests li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.15rem 0; }
.digests { max-height: 16rem; overflow: auto; margin: 0.4rem 0 0; }
main > section { margin-top: 3.25rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
dialog { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); color: var(--ink); padding: 1.5rem 2rem; max-width: 28rem; }
dialog::backdrop { background: rgb(0 0 0 / 0.35); }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 0.5rem 1.25rem; margin: 0 0 1rem; } dialog dd { margin: 0; }
button, select { font: inherit; font-size: 0.8125rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.25rem 0.65rem; cursor: pointer; }
button:hover { border-color: var(--soft); }
@media (max-width: 60rem) { header { grid-template-columns: minmax(0, 1fr); gap: 1.75rem; } .brand { margin-bottom: 0; } }
@media (max-width: 40rem) { .page { padding: 1.25rem 1rem 4rem; } h1 { font-size: 1.25rem; } main > section { margin-top: 2.25rem; padding-top: 1.25rem; } }
`;

/** On paper: black on white, no tools, and what failed with its reasons, opened or not. */
const PRINT_STYLE = `
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #ccc; --tint: #f4f4f4; --accent: #234; --pass: #0b4d2b; --fail: #8c1c13; --flaky: #6b4400; --error: #55287f; --right: 23 105 63; --wrong: 173 42 31; }
  body { font-size: 9.5pt; } .page { max-width: none; padding: 0; }
  * { print-color-adjust: exact; }
  .toolbar, nav, .skip, dialog, .case > summary::before { display: none; }
  header { grid-template-columns: minmax(0, 1.4fr) minmax(0, 1fr); gap: 1.5rem; }
  main > section { margin-top: 1.5rem; padding-top: 1rem; } h2, h3, h4 { break-after: avoid; }
  .case { content-visibility: visible; break-inside: avoid; } .case[open] { break-inside: auto; }
  .case > summary { padding: 0.2rem 0; } .heads { padding-left: 0; } .inside { padding: 0 0 0.5rem 1rem; }
  .case[data-kinds~="failed"]::details-content, .case[data-kinds~="errors"]::details-content { content-visibility: visible; display: block; height: auto; }
  .scroll { overflow: visible; } table.data { min-width: 0; } table.data * { font-size: 8pt !important; } table.data th, table.data td { padding-right: 0.6rem; white-space: normal; }
  .inside pre { max-height: none; overflow: visible; } tr, figure, .tile { break-inside: avoid; }
}
`;

/** Tables and small charts. */
const TABLE_STYLE = `
.scroll { overflow-x: auto; margin: 0 0 1rem; padding-bottom: 0.25rem; }
table.data { border-collapse: collapse; font-size: 0.875rem; min-width: 36rem; }
table.data th, table.data td { text-align: left; padding: 0.4rem 1.25rem 0.4rem 0; border-bottom: 1px solid var(--line); font-weight: 400; vertical-align: middle; }
table.data :is(th, .number, .interval, .numbers) { white-space: nowrap; }
table.data thead th { color: var(--soft); font-size: 0.8125rem; vertical-align: bottom; }
table.data tbody th { font-weight: 500; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; }
table.data td.quiet { white-space: normal; min-width: 8rem; }
table.data .number, .confusion .number { text-align: right; }
.strong { font-weight: 600; }
.numbers { font-size: 0.8125rem; color: var(--soft); }
table.scores th[scope="colgroup"] { border-bottom: 0; color: var(--ink); font-weight: 500; padding-bottom: 0; }
table.scores .interval { width: 5.5rem; }
table.scores tbody tr:first-child > * { font-weight: 600; border-bottom-width: 2px; }
table.scores td:nth-child(3n + 1) { padding-right: 2rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin-bottom: 1rem; }
.tile { display: block; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); padding: 0.75rem 1rem; }
.tile caption { display: block; text-align: left; color: var(--soft); font-size: 0.8125rem; }
.tile tbody, .tile tr { display: flex; flex-wrap: wrap; align-items: center; gap: 0.15rem 0.9rem; }
.tile td { padding: 0; } .tile td:first-child { font-size: 1.375rem; font-weight: 600; text-align: left; }
.tile td:last-child { color: var(--soft); font-size: 0.8125rem; } .tile td:last-child::before { content: "n = "; }
.interval { vertical-align: middle; margin-right: 0.4rem; }
.interval .axis, .histogram .axis { stroke: var(--line); stroke-width: 1.5; }
.interval .reference { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 2; }
.interval .range { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; opacity: 0.35; }
.interval .value { fill: var(--accent); }
.measure { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem; }
.confusion { border-collapse: separate; border-spacing: 2px; font-size: 0.8125rem; }
.confusion th { font-weight: 500; text-align: right; padding: 0.2rem 0.6rem 0.2rem 0; white-space: nowrap; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; }
.confusion thead th { vertical-align: bottom; text-align: left; padding: 0 0 0.35rem; max-width: none; }
.confusion thead th span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 10rem; overflow: hidden; text-overflow: ellipsis; }
.confusion thead td { vertical-align: bottom; text-align: right; padding: 0 0.6rem 0.35rem 0; }
.confusion td.right, .confusion td.wrong { min-width: 2.4rem; height: 2.1rem; text-align: center; border-radius: 0.3rem; }
.confusion .level-0 { color: var(--soft); background: var(--tint); }
.confusion .right { box-shadow: inset 0 0 0 1.5px rgb(var(--right) / 0.65); font-weight: 600; }
.confusion .wrong:not(.level-0) { font-weight: 600; }
.right.level-1 { background: rgb(var(--right) / 0.08); } .right.level-2 { background: rgb(var(--right) / 0.14); } .right.level-3 { background: rgb(var(--right) / 0.2); } .right.level-4 { background: rgb(var(--right) / 0.26); } .right.level-5 { background: rgb(var(--right) / 0.32); }
.wrong.level-1 { background: rgb(var(--wrong) / 0.22); } .wrong.level-2 { background: rgb(var(--wrong) / 0.30); } .wrong.level-3 { background: rgb(var(--wrong) / 0.38); } .wrong.level-4 { background: rgb(var(--wrong) / 0.46); } .wrong.level-5 { background: rgb(var(--wrong) / 0.54); }
.mistakes > li { margin-bottom: 0.75rem; } .mistakes ul { margin: 0.15rem 0 0; font-size: 0.875rem; }
.flips > li { display: grid; grid-template-columns: 1rem minmax(0, 1fr) auto; gap: 0.75rem; padding: 0.3rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.flips .checks { display: block; color: var(--soft); font-size: 0.8125rem; }
.inline { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.pager { display: flex; gap: 0.75rem; align-items: center; padding: 0.75rem 0; font-size: 0.875rem; color: var(--soft); }
.pager button:disabled { opacity: 0.45; cursor: default; }
.more { color: var(--soft); list-style: none; }
.findings li { padding: 0.3rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
:is(#assertions, #comparison) summary { font-weight: 600; padding: 0.35rem 0; }
.tag { font-size: 0.75rem; color: var(--soft); border: 1px solid var(--line); border-radius: 1rem; padding: 0.02rem 0.5rem; white-space: nowrap; }
.costs { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0.5rem 2.5rem; }
figure { margin: 0 0 1rem; } figcaption { font-size: 0.8125rem; }
figcaption b { font-weight: 500; display: block; }
.histogram { display: block; width: 100%; height: auto; max-width: 26rem; }
.histogram .bin { fill: var(--accent); opacity: 0.45; }
@media (max-width: 40rem) {
  table.data { min-width: 0; font-size: 0.75rem; } table.data thead th, table.data .numbers { font-size: 0.6875rem; }
  table.data th, table.data td { padding-right: 0.5rem; } table.data :is(th, .numbers, .interval) { white-space: normal; } table.data thead .number { white-space: normal; } table.data td.quiet { min-width: 0; } table.data svg { display: none; }
  table.scores td:nth-child(3n + 1) { padding-right: 0.5rem; } table.scores .interval { width: auto; }
}
.histogram .p50 { stroke: var(--ink); stroke-width: 1.5; } .histogram .p95 { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2.5 2.5; }
`;

export const REPORT_STYLE = [PAGE_STYLE, TABLE_STYLE, CASE_STYLE, PRINT_STYLE].join("");
