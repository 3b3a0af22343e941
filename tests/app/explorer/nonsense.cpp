// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/nonsense.h"

#include <QStringList>

namespace p2::test {
namespace {

const char* const kNumbers =
    "0 1 2 3 4 8 16 64 100 1024 65536 1000000 16777216 -1 0.5 1e308 1e-9 nan inf 1e999 "
    "99999999999999999999 0,1 2,4,8 8,8";
const char* const kWords =
    "a gpu node AllReduce dgx-a100 dgx-h100:4 node:4@100GB/s llama3-8b root:InsideGroup:AllReduce "
    "--help / nothing.json %1%n%s <b>x</b> &File \\\"'`$(x) ж中文😀 \u202Eabc";
const char* const kPhrases =
    " |4 4|data 4, shards 4|1 MB|1 GB|64 KiB|400 GB/s|5 us|-3 GB/s|node:2 gpu:8|a:2 b:3 c:2|"
    "node:4@100GB/s gpu:8@300GB/s|ReduceScatter - AllReduce - AllGather";

}  // namespace

QString nonsense(RandomChoice& choice) {
  static const QStringList kTexts = QString::fromUtf8(kNumbers).split(' ') + QString::fromUtf8(kWords).split(' ') +
                                    QString::fromUtf8(kPhrases).split('|') + QStringList{QString()};
  if (choice.oneIn(40)) return QString(5000, QChar('x'));
  if (choice.oneIn(40)) return QString("node:2 ").repeated(300);
  return choice.of(kTexts);
}

}  // namespace p2::test
