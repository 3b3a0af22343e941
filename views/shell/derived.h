// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "views/shell/job_queue.h"

namespace p2::views {

/// The part of Derived that does not depend on its types.
class DerivedBase : public QObject {
  Q_OBJECT
 public:
  explicit DerivedBase(JobQueue& jobs, QObject* parent = nullptr);
  /// Cancels the job; nothing arrives any more.
  ~DerivedBase() override;

  /// Whether a job is on its way to the answer.
  [[nodiscard]] bool isRunning() const { return m_job != 0; }
  /// Progress of that job, 0 … 1.
  [[nodiscard]] double progress() const { return m_progress; }
  /// Why there is no answer to the question; nothing while it is awaited.
  [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }
  /// Whether the user stopped the job before it answered. Asking again starts it again.
  [[nodiscard]] bool wasCancelled() const { return m_cancelled; }
  /// Stops the job, as the user does.
  void cancel();

 signals:
  void changed();  ///< anything but the progress
  void progressed(double done);

 protected:
  template <class T>
  void startJob(const QString& title, std::function<Result<T>(std::stop_token, const Progress&)> work,
                std::function<void(T)> take) {
    dropJob();
    m_problem.reset();
    m_cancelled = false;
    const int run = m_run;
    m_job = m_jobs->start<T>(
        title, {}, std::move(work),
        [self = QPointer(this), take = std::move(take), run](Result<T> result) {
          if (!self || self->m_run != run) return;
          self->m_job = 0;
          if (result.ok()) {
            take(std::move(result).value());
          } else {
            self->m_problem = result.error();
          }
          emit self->changed();
        },
        [self = QPointer(this), run] {
          if (self && self->m_run == run) self->noteCancelled();
        });
    emit changed();
  }
  /// Drops the job without signals.
  void dropJob();
  void forgetOutcome();

 private:
  void noteCancelled();

  QPointer<JobQueue> m_jobs;
  int m_job = 0;
  int m_run = 0;  // that which may still report here
  double m_progress = 0;
  bool m_cancelled = false;
  std::optional<Error> m_problem;
};

/// The answer to a question, kept up to date by jobs: ask() whenever the question may have changed. Only the answer to
/// the last question ever arrives; until then the one before stays, to be shown as out of date. `Work` is a pure
/// function of the question, which runs on another thread and may outlive this object. Questions are compared with ==.
template <std::equality_comparable Question, class Answer>
class Derived : public DerivedBase {
 public:
  using Found = std::shared_ptr<const Answer>;
  using Work = std::function<Result<Found>(const Question&, std::stop_token, const Progress&)>;

  /// `work` gives a Result<Answer>, or a Result<std::shared_ptr<const Answer>> when it is shared already.
  template <class F>
  Derived(JobQueue& jobs, F work, QObject* parent = nullptr) : DerivedBase(jobs, parent), m_work(sharing(work)) {}

  /// Starts a job for the answer, unless that is here, on its way, known not to exist, or was cancelled by the user.
  void ask(const QString& title, Question question) {
    if (m_question == question) return;
    m_question = std::move(question);
    if (m_answered == m_question) {
      dropJob();
      forgetOutcome();
      emit changed();
      return;
    }
    start(title);
  }
  /// Starts a job even if the question was answered, failed or was cancelled before.
  void askAgain(const QString& title, Question question) {
    m_question = std::move(question);
    m_answered.reset();
    start(title);
  }
  /// There is no question for now; the last answer stays, out of date.
  void withdraw() {
    if (!m_question) return;
    dropJob();
    forgetOutcome();
    m_question.reset();
    emit changed();
  }
  /// Drops the question and its answer.
  void forget() {
    if (!m_question && !m_answer) return;
    dropJob();
    forgetOutcome();
    m_question.reset();
    m_answered.reset();
    m_answer.reset();
    emit changed();
  }

  [[nodiscard]] const std::optional<Question>& question() const { return m_question; }
  /// The question that answer() answers.
  [[nodiscard]] const std::optional<Question>& answered() const { return m_answered; }
  /// The last answer that arrived, be it to an earlier question; null before the first.
  [[nodiscard]] Found answer() const { return m_answer; }
  /// Whether answer() answers question().
  [[nodiscard]] bool isCurrent() const { return m_answer && m_answered == m_question; }
  /// answer() if it answers question(), else null.
  [[nodiscard]] Found current() const { return isCurrent() ? m_answer : nullptr; }

 private:
  template <class F>
  static Work sharing(F work) {
    using Given = std::invoke_result_t<F, const Question&, std::stop_token, const Progress&>;
    if constexpr (std::is_same_v<Given, Result<Found>>) {
      return work;
    } else {
      return [work](const Question& question, std::stop_token stop, const Progress& progress) -> Result<Found> {
        P2_TRY_ASSIGN(Answer answer, work(question, std::move(stop), progress));
        return std::make_shared<const Answer>(std::move(answer));
      };
    }
  }
  void start(const QString& title) {
    startJob<Found>(
        title,
        [work = m_work, asked = *m_question](std::stop_token stop, const Progress& progress) {
          return work(asked, std::move(stop), progress);
        },
        [this](Found answer) {
          m_answer = std::move(answer);
          m_answered = m_question;
        });
  }

  Work m_work;
  std::optional<Question> m_question;
  std::optional<Question> m_answered;  // what m_answer answers
  Found m_answer;
};

}  // namespace p2::views
