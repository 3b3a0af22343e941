# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of cmark-gfm's manual pages with their cells filled, as wide as the page leaves room; what stands in a column of
# short cells stays as it is. Cells come parted by "@" and leave parted by tabs.
BEGIN { FS = "@"; shortest = 24 }

function letters(cell) {
  gsub(/\\f\[[^]]*\]/, "", cell)
  gsub(/\\/, "", cell)
  return length(cell)
}

function filled(column) { return longest[column] > shortest }

function flush_table(    row, column, cells, count, line) {
  line = ""
  for (column = 1; column <= columns; ++column) line = line (column > 1 ? " " : "") "l" (filled(column) ? "x" : "")
  print ".TS\n" line "."
  for (row = 1; row <= rows; ++row) {
    count = split(texts[row], cells, "@")
    line = ""
    for (column = 1; column <= count; ++column) {
      line = line (column > 1 ? "\t" : "") (filled(column) ? "T{\n.na\n" cells[column] "\nT}" : cells[column])
    }
    print line
  }
}

$0 == ".TS" { inside = 1; rows = columns = 0; split("", longest); next }
$0 == ".TE" { flush_table(); inside = 0 }
!inside { print; next }
/^tab\(@\);$/ || /^[lcr]+\.$/ { next }
{
  texts[++rows] = $0
  if (NF > columns) columns = NF
  for (i = 1; i <= NF; ++i) if (letters($i) > longest[i]) longest[i] = letters($i)
}
