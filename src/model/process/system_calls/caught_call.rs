//! A system call that a catchpoint has caught.

use super::system_call::SystemCall;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A system call at its beginning or its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CaughtCall {
    /// The call.
    pub call: SystemCall,
    /// Its arguments as text; `None`: differs among the ranks.
    pub arguments: Vec<Option<String>>,
    /// Set if it returns: its result as text; `None` inside: differs among the ranks.
    pub returned: Option<Option<String>>,
}

impl CaughtCall {
    /// True if both stand for the same call at the same end, whatever its arguments and its result are.
    pub fn is_alike(&self, other: &Self) -> bool {
        self.call == other.call
            && self.arguments.len() == other.arguments.len()
            && self.returned.is_some() == other.returned.is_some()
    }

    /// Drops what the other does not share, so that it stands for both.
    pub fn keep_shared(&mut self, other: &Self) {
        for (own, also) in self.arguments.iter_mut().zip(&other.arguments) {
            own.take_if(|own| Some(&*own) != also.as_ref());
        }
        if let (Some(own), Some(also)) = (&mut self.returned, &other.returned) {
            own.take_if(|own| Some(&*own) != also.as_ref());
        }
    }
}

impl fmt::Display for CaughtCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "…".to_owned());
        let arguments = self.arguments.iter().map(shown).collect::<Vec<_>>().join(", ");
        match &self.returned {
            None => write!(f, "call to {}({arguments})", self.call),
            Some(result) => write!(f, "returned from {}({arguments}) = {}", self.call, shown(result)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ranks_do_not_share_is_left_out() {
        let call = |size: &str, returned: Option<&str>| CaughtCall {
            call: SystemCall(1),
            arguments: vec![Some("1".to_owned()), Some(size.to_owned())],
            returned: returned.map(|text| Some(text.to_owned())),
        };
        let (mut one, two) = (call("14", Some("14")), call("15", Some("15")));
        assert!(one.is_alike(&two) && !one.is_alike(&call("14", None)));
        assert_eq!(one.to_string(), "returned from write(1, 14) = 14");
        one.keep_shared(&two);
        assert_eq!(one.to_string(), "returned from write(1, …) = …");
        let mut entered = call("14", None);
        entered.keep_shared(&call("14", None));
        assert_eq!(entered.to_string(), "call to write(1, 14)");
    }
}
