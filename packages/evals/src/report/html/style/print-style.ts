/** On paper: black on white, no tools, and what failed with its reasons, opened or not. */
export const PRINT_STYLE = `
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
