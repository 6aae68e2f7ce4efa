// Command lines of the standalone programs: a few whole numbers, then options.
#pragma once

#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "exactdice/work.hpp"

namespace exactdice::apps {

inline int read_whole(const std::string& text, const std::string& name) {
    std::size_t used = 0;
    int number = 0;
    try {
        number = std::stoi(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (used != text.size() || text.empty()) {
        throw BadInput(name + ": got '" + text + "'; expected a whole number");
    }
    return number;
}

class Arguments {
   public:
    Arguments(int count, char** words, std::size_t wanted, const std::string& usage) {
        for (int i = 1; i < count; ++i) {
            const std::string word = words[i];
            if (word.rfind("--", 0) != 0) {
                positional_.push_back(word);
            } else if (i + 1 < count && std::string(words[i + 1]).rfind("--", 0) != 0 &&
                       usage.find("[" + word + " ") != std::string::npos) {
                options_[word.substr(2)] = words[++i];
            } else if (usage.find("[" + word + "]") != std::string::npos) {
                options_[word.substr(2)] = "";
            } else {
                throw BadInput(word + " is unknown or lacks its value; usage: " + usage);
            }
        }
        if (positional_.size() != wanted) {
            throw BadInput("usage: " + usage);
        }
    }
    int whole(std::size_t place, const std::string& name) const {
        return read_whole(positional_.at(place), name);
    }
    int option(const std::string& name, int otherwise) const {
        const auto found = options_.find(name);
        return found == options_.end() ? otherwise : read_whole(found->second, name);
    }
    bool flag(const std::string& name) const { return options_.count(name) > 0; }
    std::vector<int> list(const std::string& name, std::vector<int> otherwise) const {
        const auto found = options_.find(name);
        if (found == options_.end()) {
            return otherwise;
        }
        std::vector<int> numbers;
        std::size_t begin = 0;
        while (begin <= found->second.size()) {
            const std::size_t end = std::min(found->second.find(',', begin), found->second.size());
            numbers.push_back(read_whole(found->second.substr(begin, end - begin), name));
            begin = end + 1;
        }
        return numbers;
    }

   private:
    std::vector<std::string> positional_;
    std::map<std::string, std::string> options_;
};

// Run a program's body; an error becomes one line and exit status 2.
template <class Body>
int guarded(Body body) {
    try {
        return body();
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 2;
    }
}

}  // namespace exactdice::apps
