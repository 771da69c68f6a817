//! Symbols of real programs, with the output of `c++filt -i` of GNU binutils 2.40.

use super::{Extent, in_words};

#[test]
fn symbols_in_words() {
    for (symbol, words) in [
        ("_ZN2ns3addEii", "ns::add(int, int)"),
        ("_ZN4Json5ValueC2ERKS0_", "Json::Value::Value(Json::Value const&)"),
        ("_ZN1AD0Ev", "A::~A()"),
        ("_ZNK1AcviEv", "A::operator int() const"),
        ("_Z1fPFviE", "f(void (*)(int))"),
        ("_Z1fRA6_Kc", "f(char const (&) [6])"),
        ("_Z1fM1AKFivE", "f(int (A::*)() const)"),
        ("_Z1fM1Ai", "f(int A::*)"),
        ("_Z1fPA2_A3_i", "f(int (*) [2][3])"),
        ("_Z4swapIiEvRT_S1_", "void swap<int>(int&, int&)"),
        ("_Z3getILm0EJiEEvv", "void get<0ul, int>()"),
        ("_Z1fIJEEvDpT_", "void f<>()"),
        ("_Z1fIJicEEvDpOT_", "void f<int, char>(int&&, char&&)"),
        ("_Z1fIRiEvOT_", "void f<int&>(int&)"),
        ("_ZlsI1AERSoS1_RKT_", "std::ostream& operator<< <A>(std::ostream&, A const&)"),
        (
            "_ZNSsC1EPKcRKSaIcE",
            "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string(char const*, std::allocator<char> const&)",
        ),
        ("_ZNSs4swapERSs", "std::string::swap(std::string&)"),
        ("_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const"),
        ("_ZZ1fiENKUlT_E0_clIcEEDaS_", "auto f(int)::{lambda(auto:1)#2}::operator()<char>(char) const"),
        ("_ZN12_GLOBAL__N_16hiddenEi", "(anonymous namespace)::hidden(int)"),
        ("_ZTV7Derived", "vtable for Derived"),
        ("_ZTI7Derived", "typeinfo for Derived"),
        ("_ZThn8_N1C1fEv", "non-virtual thunk to C::f()"),
        ("_ZGVZ1fvE1x", "guard variable for f()::x"),
        ("_ZN3fmt7vformatB5cxx11Ev", "fmt::vformat[abi:cxx11]()"),
        ("_Z1fIXadL_Z1gvEEEvv", "void f<&(g())>()"),
        ("_Z4fillIL5Color2EEvv", "void fill<(Color)2>()"),
        ("_Z1fi.isra.0.cold", "f(int) [clone .isra.0] [clone .cold]"),
        ("_ZN1aIXsr3std7is_sameIiiEE5valueEE1bEv", "a<std::is_same<int, int>::value>::b()"),
        ("_Znwm", "operator new(unsigned long)"),
    ] {
        assert_eq!(in_words(symbol, Extent::Whole).as_deref(), Some(words), "{symbol}");
    }
}

#[test]
fn names_alone() {
    for (symbol, name) in [
        ("_Z4swapIiEvRT_S1_", "swap<int>"),
        ("_ZNK1AcviEv", "A::operator int"),
        ("_ZZ1fIiEvT_ENKUlvE_clEv", "f<int>(int)::{lambda()#1}::operator()"),
        ("_Z1fi.cold", "f"),
    ] {
        assert_eq!(in_words(symbol, Extent::Name).as_deref(), Some(name), "{symbol}");
    }
}

#[test]
fn what_is_no_symbol_is_left_alone() {
    for symbol in ["main", "_Z", "_Znonsense", "_ZN1A", "_Z1fS_", "_Z1fT_x", "_ZNSt", "_Z99999999999999999999a", ""] {
        assert_eq!(in_words(symbol, Extent::Whole), None, "{symbol}");
    }
    // Symbols that could grow exponentially are refused.
    let bomb = format!("_Z1f{}", "P".repeat(5000));
    assert_eq!(in_words(&bomb, Extent::Whole), None);
    // A class template with itself as both arguments, repeatedly.
    let mut doubling = "_Z1f1pIiiE".to_owned();
    for step in 0..40 {
        let last = if step == 0 { "S0_".to_owned() } else { format!("S{}_", to_base_36(step)) };
        doubling += &format!("S_I{last}{last}E");
    }
    assert_eq!(in_words(&doubling, Extent::Whole), None);
}

fn to_base_36(number: u32) -> String {
    let digit = |digit| char::from_digit(digit, 36).unwrap().to_ascii_uppercase();
    if number < 36 { digit(number).to_string() } else { format!("{}{}", digit(number / 36), digit(number % 36)) }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "_Z[A-Za-z0-9_.]{0,60}|_Z(N|S|T|I|E|P|K|J|D|p|_|[0-9][ab]|Ul|L|X|s|r|c|l|v|i){0,40}") {
        for extent in [Extent::Name, Extent::Parameters, Extent::Whole] {
            let _ = in_words(&text, extent);
        }
    }
}
