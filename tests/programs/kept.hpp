// A class whose methods are templates: each file that uses it describes those it uses. Its own code is in both.
#pragma once

template <typename T> class Box {
  public:
    explicit Box(T value) : value(value) {}
    int size() const { return static_cast<int>(sizeof(T)); }
    template <typename U> int put(const U &other) { return value = static_cast<T>(other), size(); }

  private:
    T value;
};

int other();
