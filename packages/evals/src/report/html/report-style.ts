/** Signs and words carry the meaning; colours only help to find it. Rows outside the window cost nothing. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf9; --card: #fff; --ink: #1d2126; --soft: #5a616b; --line: #e3e0d9; --tint: #f3f1ec; --accent: #2f5d8a;
  --pass: #17693f; --fail: #ad2a1f; --flaky: #835300; --error: #6d3a9c; --right: 23 105 63; --wrong: 173 42 31;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --card: #1c1f23; --ink: #e8e6e1; --soft: #a2a8b0; --line: #32363c; --tint: #23272c; --accent: #8ab8e6;
    --pass: #79cfa2; --fail: #f0958c; --flaky: #e6b960; --error: #c4a3ea; --right: 95 190 140; --wrong: 230 120 110;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 0.9375rem/1.55 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
.page { max-width: 78rem; margin: 0 auto; padding: 2.5rem 2rem 6rem; }
h1 { font-size: 1.5rem; line-height: 1.35; font-weight: 600; margin: 0 0 1rem; max-width: 44rem; }
h2 { font-size: 1.2rem; margin: 0 0 1rem; } h3 { font-size: 0.9375rem; margin: 1.5rem 0 0.5rem; } h4 { font-size: 0.8125rem; margin: 1rem 0 0.4rem; }
p { margin: 0 0 0.75rem; max-width: 46rem; } ul { margin: 0 0 0.75rem; padding-left: 1.2rem; }
small, .quiet, .numbers, .tag, .notes, .evidence { color: var(--soft); font-weight: 400; font-size: 0.8125rem; }
a { color: var(--accent); } summary { cursor: pointer; } figure { margin: 0; }
code, pre { font: 0.8125rem/1.5 ui-monospace, monospace; }
code { background: var(--tint); border-radius: 0.3rem; padding: 0.12rem 0.4rem; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; }
header { display: grid; grid-template-columns: minmax(0, 1fr) minmax(18rem, 25rem); gap: 2.5rem; align-items: start; }
header.two { grid-template-columns: minmax(0, 1fr); }
.brand { grid-column: 1 / -1; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 2rem; }
nav ul, .counts { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; padding: 0; margin: 0; font-size: 0.8125rem; }
.items { list-style: none; padding: 0; } .items > li { padding: 0.3rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.status { display: inline-block; font-weight: 600; padding: 0.2rem 0.85rem; border: 1.5px solid; border-radius: 2rem; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .flaky, .inconclusive { color: var(--flaky); } .error, .errors { color: var(--error); } .unjudged, .no-data { color: var(--soft); }
.status-word { text-transform: capitalize; } .next span { color: var(--soft); } .mark { white-space: nowrap; }
.since, .request { border-left: 3px solid var(--line); padding-left: 0.9rem; }
.setup { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); padding: 1rem 1.25rem; font-size: 0.8125rem; }
.setup h2 { font-size: 0.8125rem; margin: 0 0 0.4rem; } .setup table { border-collapse: collapse; width: 100%; }
.setup :is(th, td) { text-align: left; vertical-align: top; padding: 0.16rem 1rem 0.16rem 0; font-weight: 400; overflow-wrap: anywhere; }
.setup tbody th { color: var(--soft); width: 6.5rem; }
main > section { margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.scroll { overflow-x: auto; margin: 0 0 1rem; }
table.data { border-collapse: collapse; font-size: 0.875rem; }
table.data :is(th, td) { text-align: left; padding: 0.4rem 1.25rem 0.4rem 0; border-bottom: 1px solid var(--line); font-weight: 400; overflow-wrap: anywhere; }
table.data thead th { color: var(--soft); font-size: 0.8125rem; } table.data td > b { font-weight: 600; }
.interval { vertical-align: middle; } .interval .axis { stroke: var(--line); stroke-width: 1.5; } .interval .reference { stroke: var(--soft); stroke-dasharray: 2 2; }
.interval .range { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; opacity: 0.35; } .interval .value { fill: var(--accent); }
.confusion { border-spacing: 2px; font-size: 0.8125rem; } .confusion th { font-weight: 500; text-align: right; padding: 0.2rem 0.6rem 0.2rem 0; white-space: nowrap; }
.confusion thead th span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 10rem; overflow: hidden; text-overflow: ellipsis; }
.confusion td:is(.right, .wrong) { min-width: 2.4rem; text-align: center; border-radius: 0.3rem; background: rgb(var(--hue) / var(--strength)); }
.confusion .right { --hue: var(--right); box-shadow: inset 0 0 0 1.5px rgb(var(--right) / 0.65); } .confusion .wrong { --hue: var(--wrong); }
.level-0 { --strength: 0; color: var(--soft); } .level-1 { --strength: 0.1; } .level-2 { --strength: 0.16; } .level-3 { --strength: 0.22; } .level-4 { --strength: 0.28; } .level-5 { --strength: 0.34; }
.tag { border: 1px solid var(--line); border-radius: 1rem; padding: 0.02rem 0.5rem; white-space: nowrap; }
.toolbar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; padding: 0.75rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.toolbar input[type="search"] { flex: 1 1 14rem; min-width: 0; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.35rem 0.75rem; }
.toolbar output, .pager { color: var(--soft); } .pager { padding: 0.75rem 0; }
.case { border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.5rem; }
.case > summary { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0.5rem; font-size: 0.875rem; }
.case .name { flex: 1 1 20rem; min-width: 0; font-weight: 500; unicode-bidi: isolate; } .case > summary .mark { flex: 0 0 auto; }
.case[open] { background: var(--card); } .inside { padding: 0.25rem 1rem 1.5rem; }
.inside :is(p, pre, li) { unicode-bidi: isolate; } .request, .inside pre, .evidence { white-space: pre-wrap; overflow-wrap: anywhere; max-width: none; }
.inside pre { background: var(--tint); border-radius: 0.4rem; padding: 0.5rem 0.75rem; max-height: 24rem; overflow: auto; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 0.5rem 2.5rem; } .side { min-width: 0; }
.grades, .timeline { list-style: none; padding: 0; margin: 0; font-size: 0.875rem; overflow-wrap: anywhere; } .grades > li { padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
.grades .evidence { display: block; } .trials { display: flex; flex-wrap: wrap; gap: 0.3rem; }
button { font: inherit; font-size: 0.8125rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.25rem 0.65rem; cursor: pointer; }
button:disabled { opacity: 0.45; } [aria-pressed="true"] { border-color: var(--accent); }
@media (max-width: 60rem) { header { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) {
  .page { padding: 1.25rem 1rem 4rem; } table.data { font-size: 0.75rem; } table.data :is(th, td) { padding-right: 0.5rem; } table.data svg { display: none; }
}
@media print {
  .toolbar, .pager, nav, .skip { display: none; } .page { max-width: none; padding: 0; } .case { content-visibility: visible; }
  .case:is([data-kinds~="failed"], [data-kinds~="errors"])::details-content { content-visibility: visible; display: block; height: auto; }
  .inside pre { max-height: none; }
}
`;
